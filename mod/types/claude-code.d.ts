// What the mod uses of the provider's interface, declared here so that it can be checked without the provider. The
// provider marks the interface as early access: every field may be missing at run time.
declare module 'claude-code' {
  export interface MeasureEvent {
    context?: { tokens?: number; percent?: number; window?: number };
  }
  export interface CallEvent {
    command?: string;
  }
  export interface CallResult {
    deny?: unknown;
    isError?: boolean;
  }
  export interface Session {
    session: { root(): string | undefined | Promise<string | undefined> };
    fs: { exists(path: string): boolean | Promise<boolean> };
    ui: { toast(text: string): void | Promise<void> };
    prompt: { submit(prompt: { text: string }): void | Promise<void> };
  }
  type Handler<E, R> = (session: Session, event: E, next: (event: E) => Promise<R>) => Promise<R>;
  export interface On {
    (name: 'session.measure', handler: Handler<MeasureEvent, unknown>): void;
    (name: 'tool.call', filter: { tool: 'Bash' }, handler: Handler<CallEvent, CallResult | undefined>): void;
  }
  export type Register = (on: On) => void;
}
