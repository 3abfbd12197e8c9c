import type { SqlAnswer, SqlTask } from '../../plan/task/task.ts'
import { type Engine, lostStatement } from './engine.ts'

/** Performs the SQL tasks of one worker. Its DuckDB boots when it is first needed, and again after it has failed. */
export interface StatementTasks {
  /** Returns a promise only if DuckDB has to boot first. */
  perform(task: SqlTask): SqlAnswer | Promise<SqlAnswer>
}

export function createStatementTasks(boot: () => Promise<Engine>): StatementTasks {
  let engine: Engine | null = null
  let booting: Promise<Engine> | null = null

  const alive = (): Engine | null => {
    if (engine?.isDead()) engine = null
    return engine
  }
  const booted = async (): Promise<Engine> => {
    booting ??= boot().finally(() => {
      booting = null
    })
    engine = await booting
    return engine
  }
  const whenBooted = (use: (engine: Engine) => SqlAnswer): SqlAnswer | Promise<SqlAnswer> => {
    const present = alive()
    return present === null ? booted().then(use) : use(present)
  }
  const present = (): Engine => {
    const found = alive()
    if (found !== null) return found
    throw lostStatement()
  }

  return {
    perform(task) {
      switch (task.kind) {
        case 'sql_boot':
          return whenBooted(({ functions }) => ({ kind: 'sql_ready', functions }))
        case 'sql_prepare':
          return whenBooted((engine) => engine.prepare(task))
        case 'sql_open':
          return present().open(task)
        case 'sql_pull':
          return present().pull(task)
        case 'sql_close':
          alive()?.close(task.key)
          return { kind: 'sql_closed' }
      }
    },
  }
}
