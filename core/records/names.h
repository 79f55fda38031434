/* core/records/names.h - the names of a session's files (spec/session-records.md 1). */
#ifndef BATON_CORE_RECORDS_NAMES_H
#define BATON_CORE_RECORDS_NAMES_H

#define BT_FILE_MANIFEST "manifest.json"
#define BT_FILE_TIMELINE "timeline.jsonl"
#define BT_FILE_BRIEF "HANDOFF.md"
#define BT_FILE_SUMMARY "HANDOFF.summary.json"
#define BT_FILE_PAYLOAD "HANDOFF.llm.json"
#define BT_FILE_TOOLS "TOOLS.md"

#endif
