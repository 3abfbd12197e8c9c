import type { DuckDBDataChunk, DuckDBResult } from '@duckdb/node-api'
import { DuckDBTypeId } from '@duckdb/node-api'
import duckdb from '@duckdb/node-bindings'
import {
  type DataType,
  Field,
  Float32,
  Float64,
  Int32,
  Int64,
  makeData,
  RecordBatch,
  RecordBatchStreamWriter,
  Schema,
  Struct,
} from 'apache-arrow'

/** The types of the columns of small queries. */
const TYPES = {
  [DuckDBTypeId.INTEGER]: { type: new Int32(), Values: Int32Array },
  [DuckDBTypeId.BIGINT]: { type: new Int64(), Values: BigInt64Array },
  [DuckDBTypeId.FLOAT]: { type: new Float32(), Values: Float32Array },
  [DuckDBTypeId.DOUBLE]: { type: new Float64(), Values: Float64Array },
} as const

/** A result as an Arrow IPC stream, with a record batch for each chunk, made of DuckDB's vectors. Only for numbers. */
export async function arrowOf(result: DuckDBResult): Promise<Uint8Array> {
  const columns = result.columnNames().map((name, i) => ({ name, ...typeOf(result.columnTypeId(i)) }))
  const schema = new Schema(columns.map(({ name, type }) => new Field<DataType>(name, type, true)))
  const writer = new RecordBatchStreamWriter()
  writer.reset(undefined, schema)
  for (const chunk of await result.fetchAllChunks()) {
    const children = columns.map(({ type, Values }, i) => {
      const { values, nulls } = vector(chunk, i, Values.BYTES_PER_ELEMENT)
      return makeData<DataType>({
        type,
        length: chunk.rowCount,
        data: new Values(values.buffer as ArrayBuffer, values.byteOffset, chunk.rowCount),
        nullBitmap: nulls,
      } as Parameters<typeof makeData>[0])
    })
    const length = chunk.rowCount
    writer.write(
      new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length, nullCount: 0, children })),
    )
  }
  writer.finish()
  return writer.toUint8Array(true)
}

/** The rows of a result as JSON, by DuckDB's own converters. */
export async function jsonOf(result: DuckDBResult): Promise<string> {
  return JSON.stringify(await result.getRowsJson())
}

function typeOf(id: DuckDBTypeId) {
  const entry = Object.entries(TYPES).find(([key]) => Number(key) === id)
  if (entry === undefined) throw new TypeError(`the peer encodes no type ${DuckDBTypeId[id]}`)
  return entry[1]
}

function vector({ chunk, rowCount }: DuckDBDataChunk, column: number, width: number) {
  const raw = duckdb.data_chunk_get_vector(chunk, column)
  return {
    values: duckdb.vector_get_data(raw, rowCount * width),
    nulls: duckdb.vector_get_validity(raw, Math.ceil(rowCount / 64) * 8) ?? null,
  }
}
