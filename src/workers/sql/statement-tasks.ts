import { readlinkSync } from 'node:fs'
import { statementLost } from '../../plan/statement/statement-lost.ts'
import type { SqlAnswer, SqlTask } from '../../plan/task/task.ts'
import type { Engine } from './engine.ts'

/** Performs the tasks of one engine. Its DuckDB boots when it is first needed, and again after it has failed. */
export interface StatementTasks {
  /** Returns a promise only if DuckDB has to boot first. */
  perform(task: SqlTask): SqlAnswer | Promise<SqlAnswer>
  /** The number of statements that are open. */
  readonly open: number
}

/** `boot` takes DuckDB's compiled module, or null, and then compiles it. */
export function createStatementTasks(
  boot: (module: WebAssembly.Module | null) => Promise<Engine>,
): StatementTasks {
  let engine: Engine | null = null
  let booting: Promise<Engine> | null = null
  let module: WebAssembly.Module | null = null

  const alive = (): Engine | null => {
    if (engine?.isDead()) engine = null
    return engine
  }
  const bootEngine = async (): Promise<Engine> => {
    booting ??= boot(module).finally(() => {
      booting = null
    })
    engine = await booting
    module = engine.module
    return engine
  }
  const whenBooted = (use: (engine: Engine) => SqlAnswer): SqlAnswer | Promise<SqlAnswer> => {
    const present = alive()
    return present === null ? bootEngine().then(use) : use(present)
  }
  const present = (): Engine => {
    const liveEngine = alive()
    if (liveEngine !== null) return liveEngine
    throw statementLost()
  }

  return {
    get open() {
      return alive()?.statements ?? 0
    },
    perform(task) {
      switch (task.kind) {
        case 'sql_boot':
          module ??= task.module
          return whenBooted(({ functions, module }) => ({
            kind: 'sql_ready',
            functions,
            module,
            threadId: threadId(),
          }))
        case 'sql_functions':
          return whenBooted((engine) => ({ kind: 'sql_functions', signatures: engine.signatures() }))
        case 'sql_prepare':
          return whenBooted((engine) => engine.prepare(task))
        case 'sql_open':
          return present().open(task)
        case 'sql_pull':
          return present().pull(task)
        case 'sql_close':
          alive()?.close(task.key)
          return { kind: 'sql_closed', memoryBytes: alive()?.memoryBytes() ?? 0 }
      }
    },
  }
}

/** The number by which Linux knows this thread. Null: the system is another. */
function threadId(): number | null {
  try {
    // A link to `<process>/task/<thread>`.
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1)) || null
  } catch {
    return null
  }
}
