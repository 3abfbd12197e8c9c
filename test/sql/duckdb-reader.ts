/** DuckDB of the pinned version with its own JavaScript layer, which has a tokenizer. The C API has none. */
export interface DuckReader {
  /** The positions of the tokens in the UTF-8 text, and their kinds. */
  tokenize(sql: string): { readonly offsets: readonly number[]; readonly types: readonly number[] }
  /** The physical plan as JSON text. Null: DuckDB refuses the statement. */
  plan(sql: string): string | null
}

interface Bindings {
  instantiate(): Promise<unknown>
  open(config: object): void
  connect(): { query(sql: string): { toArray(): { toJSON(): Record<string, unknown> }[] } }
  tokenize(sql: string): ReturnType<DuckReader['tokenize']>
}

interface Glue {
  createDuckDB(bundles: unknown, logger: unknown, runtime: unknown): Promise<Bindings>
  readonly VoidLogger: new () => unknown
  readonly NODE_RUNTIME: unknown
}

/** Opens a database in memory and runs `setup` in it. */
export async function openReader(...setup: readonly string[]): Promise<DuckReader> {
  // DuckDB would fetch extensions from the network: it is told at once that they are not found.
  Object.assign(globalThis, { XMLHttpRequest: NotFound })
  const glue = (await import('@duckdb/duckdb-wasm/blocking')) as unknown as Glue
  const mainModule = new URL(import.meta.resolve('@duckdb/duckdb-wasm/dist/duckdb-eh.wasm')).pathname
  const bundle = { mainModule, mainWorker: '' }
  const bindings = await glue.createDuckDB(
    { mvp: bundle, eh: bundle },
    new glue.VoidLogger(),
    glue.NODE_RUNTIME,
  )
  await bindings.instantiate()
  bindings.open({})
  const connection = bindings.connect()
  for (const sql of setup) connection.query(sql)
  return {
    tokenize: (sql) => bindings.tokenize(sql),
    plan(sql) {
      try {
        const rows = connection.query(`EXPLAIN (FORMAT json) ${sql}`).toArray()
        return rows.map((row) => String(row.toJSON()['explain_value'])).join('')
      } catch {
        return null
      }
    },
  }
}

class NotFound {
  readonly status = 404
  readonly response = new ArrayBuffer(0)
  open(): void {}
  send(): void {}
  setRequestHeader(): void {}
  getResponseHeader(): string {
    return ''
  }
}
