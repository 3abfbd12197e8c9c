import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** The Python to use. With duckdb installed it is a second native peer, and with pyarrow it writes two more layouts. */
export const PYTHON = process.env['HALOCLINE_PYTHON'] ?? 'python3'

/** DuckDB for Python, in a child process. */
export interface Python {
  /** The version of DuckDB. */
  readonly version: string
  /** Runs a query and fetches its whole result as columns. The child process takes the time. */
  run(threads: number, sql: string): Promise<{ readonly ms: number; readonly rows: number }>
  /** The rows of a query of one thread, whose values are texts and numbers. */
  rows(sql: string): Promise<readonly (readonly unknown[])[]>
  close(): void
}

/** Starts DuckDB for Python. Null: there is no Python with duckdb. */
export async function startPython(): Promise<Python | null> {
  const child = spawn(PYTHON, [join(import.meta.dirname, 'native.py')], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const errors: Buffer[] = []
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk))
  process.once('exit', () => child.kill())
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async (): Promise<unknown> => {
    const { value, done } = await lines.next()
    if (done) throw new Error(`${PYTHON} has ended: ${Buffer.concat(errors)}`)
    return JSON.parse(value)
  }
  if (!(await starts(child))) return null
  try {
    const { version } = (await next()) as { version: string }
    return {
      version,
      run(threads, sql) {
        child.stdin.write(`${JSON.stringify({ threads, sql })}\n`)
        return next() as ReturnType<Python['run']>
      },
      rows(sql) {
        child.stdin.write(`${JSON.stringify({ threads: 1, sql, values: true })}\n`)
        return next() as ReturnType<Python['rows']>
      },
      close: () => child.kill(),
    }
  } catch {
    return null
  }
}

async function starts(child: ChildProcess): Promise<boolean> {
  try {
    await once(child, 'spawn')
    return true
  } catch {
    return false
  }
}
