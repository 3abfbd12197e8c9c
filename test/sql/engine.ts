import { type Table, tableFromIPC } from 'apache-arrow'
import { schemaMessage } from '../../src/main/output/arrow/arrow-schema.ts'
import { END_OF_STREAM } from '../../src/plan/arrow/ipc.ts'
import { ServiceError } from '../../src/plan/errors.ts'
import { FORMATS } from '../../src/plan/formats.ts'
import { rowsInAll } from '../../src/plan/source/unit-space.ts'
import type { NamedDefinition } from '../../src/plan/statement/definition.ts'
import { packScan } from '../../src/plan/statement/packed-scan.ts'
import type { OpenScan, Source } from '../../src/plan/statement/statement.ts'
import { runToEnd } from '../../src/plan/steps.ts'
import { type Part, payloadAs } from '../../src/plan/task/part.ts'
import type { SqlPreparedAnswer, SqlRowsAnswer } from '../../src/plan/task/task.ts'
import { field, type Schema } from '../../src/plan/types/schema.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import type { LogicalType } from '../../src/wasm/duckdb/logical-type.ts'
import { createEngine, type Engine, type EngineOptions } from '../../src/workers/sql/engine.ts'
import { createChunkStore } from '../../src/workers/state/chunk-store.ts'
import { PARQUET } from '../formats/product.ts'
import { listedUnits } from '../support/listed-units.ts'

/**
 * The schema of a source with one column `n`, the row's number. Statements name it `_rows(0)` or `read_parquet('numbers')`.
 */
const SCHEMA: Schema = {
  fields: [field('n', { kind: 'int', bits: 64, signed: true })],
  metadata: {},
}

export function numbers(rows: number): Source {
  return {
    request: { kind: 'files', format: PARQUET, paths: ['numbers'] },
    digest: null,
    schema: SCHEMA,
    rows,
  }
}

/** An engine whose sources are `numbers`. `onChunk` may throw. */
export interface TestEngine {
  readonly engine: Engine
  readonly core: ReturnType<typeof createCore>
  /** The number of feeds that have not ended. */
  openFeeds(): number
  onChunk: (row: number) => void
  prepare(
    sql: string,
    sources?: readonly Source[],
    key?: string,
    definitions?: readonly NamedDefinition[],
  ): SqlPreparedAnswer
  open(prepared: SqlPreparedAnswer, options?: { key?: string; answerBytes?: number }): SqlRowsAnswer
  pull(key?: string, answerBytes?: number): SqlRowsAnswer
  /** All rows of a statement. */
  run(sql: string, sources?: readonly Source[], definitions?: readonly NamedDefinition[]): Table
  /** All rows of a statement that is prepared. */
  rest(prepared: SqlPreparedAnswer, key?: string): Table
  readonly cancel: SharedArrayBuffer
}

export async function testEngine({
  memoryBytes = 256 << 20,
  module = null,
  addsFunctions = true,
}: Partial<Pick<EngineOptions, 'memoryBytes' | 'module' | 'addsFunctions'>> = {}): Promise<TestEngine> {
  const core = createCore({ maximumBytes: 256 << 20 })
  const cancel = new SharedArrayBuffer(4)
  let feeds = 0
  const engine = await createEngine({
    module,
    memoryBytes,
    addsFunctions,
    product: { name: 'service', version: '0' },
    formats: FORMATS,
    core: () => core,
    chunks: createChunkStore({ cacheBytes: () => 0, unitBytes: 0, maxChunkBytes: 0 }),
    inputType: (): LogicalType => ({ kind: 'bigint' }),
    openFeed({ duck: { api, memory }, open, columns, context }) {
      const rows = rowsOf(open)
      const size = Number(api.duckdb_vector_size())
      let row = 0
      feeds++
      return {
        isPaused: false,
        next(chunk) {
          context.checkCancelled()
          self.onChunk(row)
          const from = row
          row = Math.min(rows, row + size)
          for (const [vector, column] of columns.entries()) {
            if (column === null) continue
            const data = api.duckdb_vector_get_data(api.duckdb_data_chunk_get_vector(chunk, BigInt(vector)))
            const { i64 } = memory.views()
            for (let i = from; i < row; i++) i64[data / 8 + i - from] = BigInt(i)
          }
          return row - from
        },
        end() {
          feeds--
        },
      }
    },
  })
  const self: TestEngine = {
    engine,
    core,
    cancel,
    openFeeds: () => feeds,
    onChunk: () => {},
    prepare(sql, sources = [numbers(10_000)], key = 'a', definitions = []) {
      const answer = engine.prepare({
        kind: 'sql_prepare',
        key,
        sql,
        definitions,
        absent: [],
        sources,
        values: [],
        cancel,
      })
      if (answer.kind === 'sql_needs')
        for (const request of answer.sources)
          if (request.kind === 'table') throw new ServiceError('unknown_table', `no table ${request.name}`)
      if (answer.kind !== 'sql_prepared') throw new Error(`expected sql_prepared, found ${answer.kind}`)
      scanned.set(
        key,
        answer.scans.map(({ source }) => scanOf(sources[source]?.rows ?? 0)),
      )
      return answer
    },
    open: (_, { key = 'a', answerBytes = 1 << 20 } = {}) =>
      engine.open({
        kind: 'sql_open',
        key,
        scans: (scanned.get(key) ?? []).map((open) => runToEnd(packScan(open))),
        encoding: 'arrow',
        assistance: null,
        answerBytes,
        caching: true,
        cancel,
      }),
    pull: (key = 'a', answerBytes = 1 << 20) => engine.pull({ kind: 'sql_pull', key, answerBytes }),
    run: (sql, sources, definitions) => self.rest(self.prepare(sql, sources, 'a', definitions)),
    rest(prepared, key = 'a') {
      const parts: Part[] = []
      let answer = self.open(prepared, { key })
      parts.push(...answer.parts)
      while (!answer.isDone) {
        answer = self.pull(key)
        parts.push(...answer.parts)
      }
      return tableOf(prepared.output, parts)
    },
  }
  const scanned = new Map<string, OpenScan[]>()
  return self
}

/** An Arrow stream of the parts. */
export function tableOf(schema: Schema, parts: readonly Part[]): Table {
  const bytes = [
    schemaMessage(schema),
    ...parts.map((part) => Buffer.from(payloadAs(part, 'arrow').bytes)),
    END_OF_STREAM,
  ]
  return tableFromIPC(Buffer.concat(bytes))
}

function scanOf(rows: number): OpenScan {
  return {
    scan: { format: PARQUET, columns: [], filter: null, projection: [] },
    files: [],
    units: listedUnits([{ kind: 'rows', file: 0, segment: 0, from: 0, to: rows, decodedBytes: 0 }]),
    rowsOf: null,
  }
}

function rowsOf({ units }: OpenScan): number {
  return rowsInAll(units)
}
