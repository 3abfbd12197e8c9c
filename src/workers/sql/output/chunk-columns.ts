import { ServiceError } from '../../../plan/errors.ts'
import type { Schema } from '../../../plan/types/schema.ts'
import { UUID_BYTES } from '../../../plan/types/uuid.ts'
import type { Column } from '../../../wasm/core/column.ts'
import type { Core } from '../../../wasm/core/core.ts'
import type { Duck } from '../../../wasm/duckdb/instance.ts'
import { isTimeNs, setTimeNs, TYPE_ID } from '../../../wasm/duckdb/logical-type.ts'
import { toDurations } from './to-durations.ts'

/** Imports DuckDB's chunks as columns of the core, by way of the Arrow C data interface. */
export interface ChunkColumns extends Disposable {
  /** The columns of a chunk. The caller still owns the chunk. */
  import(core: Core, chunk: number): Column[]
}

/** Offsets in the 32-bit structs `ArrowArray` and `ArrowSchema`, and a size that is enough for either. */
const ARRAY = Object.freeze({ buffers: 40, children: 44, release: 52, bytes: 64 })
/** Offset of a vector's type, a `LogicalType`, in duckdb-wasm 1.32.0. */
const VECTOR_TYPE = 4

const SCHEMA = Object.freeze({ format: 0, children: 32, release: 40, bytes: 64 })

/** `types` are handles of the columns' logical types, which the caller still owns. */
export function createChunkColumns(
  duck: Duck,
  connection: number,
  schema: Schema,
  types: readonly number[],
): ChunkColumns {
  const { api, memory } = duck
  const array = memory.allocate(ARRAY.bytes)
  const arrowSchema = memory.allocate(SCHEMA.bytes)
  const formats = memory.allocate(FORMATS.length)
  using scratch = memory.scratch()
  const slot = scratch.bytes(4)
  api.duckdb_connection_get_arrow_options(connection, slot)
  const options = memory.views().u32[slot / 4] ?? 0
  const names = scratch.addresses(schema.fields.map(({ name }) => scratch.text(name)))
  memory.views().u8.fill(0, arrowSchema, arrowSchema + SCHEMA.bytes)
  const count = BigInt(types.length)
  // Arrow has times of day in nanoseconds, but DuckDB does not export them. As integers they are the same.
  const timesNs = types.flatMap((type, index) => (isTimeNs(duck, type) ? [index] : []))
  for (const index of timesNs) setTimeNs(duck, types[index] ?? 0, false)
  check(duck, api.duckdb_to_arrow_schema(options, scratch.addresses(types), names, count, arrowSchema))
  for (const index of timesNs) setTimeNs(duck, types[index] ?? 0, true)

  const word = (address: number): number => memory.views().u32[address / 4] ?? 0
  const child = (struct: number, index: number): number => word(word(struct) + 4 * index)
  const release = (struct: number, offset: number): void => {
    const pointer = word(struct + offset)
    if (pointer !== 0) duck.callPointer(pointer, struct)
  }
  const isDuration = (index: number): boolean => schema.fields[index]?.type.kind === 'duration'
  const ids = types.map((type) => api.duckdb_get_type_id(type))
  memory.views().u8.set(FORMATS, formats)
  ids.forEach((id, index) => {
    const format = child(arrowSchema + SCHEMA.children, index) + SCHEMA.format
    if (id === TYPE_ID.hugeint) memory.views().u32[format / 4] = formats
    if (id === TYPE_ID.uhugeint) memory.views().u32[format / 4] = formats + 2
    if (id === TYPE_ID.uuid) memory.views().u32[format / 4] = formats + 4
    if (isDuration(index)) memory.views().u32[format / 4] = formats + 9
  })

  return {
    import(core, chunk) {
      memory.views().u8.fill(0, array, array + ARRAY.bytes)
      for (const index of timesNs) {
        const type = api.duckdb_data_chunk_get_vector(chunk, BigInt(index)) + VECTOR_TYPE
        if (!isTimeNs(duck, type)) throw new ServiceError('internal', 'DuckDB has another layout of a vector')
        setTimeNs(duck, type, false)
      }
      check(duck, api.duckdb_data_chunk_to_arrow(options, chunk, array))
      const columns: Column[] = []
      using values = memory.scratch()
      try {
        for (const [index, { name, type }] of schema.fields.entries()) {
          const address = child(array + ARRAY.children, index)
          const id = ids[index]
          if (id === TYPE_ID.hugeint || id === TYPE_ID.uhugeint) {
            const rows = Number(api.duckdb_data_chunk_get_size(chunk))
            narrow(memory.views(), address, rows, id === TYPE_ID.hugeint, name)
          }
          if (isDuration(index))
            toDurations(memory.memory.buffer, address, Number(api.duckdb_data_chunk_get_size(chunk)), name)
          if (id === TYPE_ID.uuid) {
            const vector = api.duckdb_data_chunk_get_vector(chunk, BigInt(index))
            const rows = Number(api.duckdb_data_chunk_get_size(chunk))
            const bytes = values.bytes(UUID_BYTES * rows)
            putUuids(memory.memory.buffer, api.duckdb_vector_get_data(vector), rows, bytes)
            memory.views().u32[word(address + ARRAY.buffers) / 4 + 1] = bytes
          }
          columns.push(
            core.importArray(memory.memory, address, child(arrowSchema + SCHEMA.children, index), type),
          )
        }
        return columns
      } catch (error) {
        for (const column of columns) core.free(column)
        throw error
      } finally {
        release(array, ARRAY.release)
      }
    },
    [Symbol.dispose]() {
      release(arrowSchema, SCHEMA.release)
      duck.destroy('duckdb_destroy_arrow_options', options)
      for (const address of [array, arrowSchema, formats]) memory.free(address)
    },
  }
}

/** The format strings of 64-bit integers, UUIDs and durations in microseconds in the C data interface, with a zero byte after each. */
const FORMATS = Buffer.from('l\0L\0w:16\0tDu\0')

/**
 * Writes UUIDs as the bytes of their text. DuckDB, which would make text of them, has 128-bit integers, whose highest bit is inverted.
 */
function putUuids(memory: ArrayBufferLike, from: number, rows: number, to: number): void {
  const view = new DataView(memory)
  for (let start = 0; start < UUID_BYTES * rows; start += UUID_BYTES) {
    const word = (offset: number): number => view.getUint32(from + start + offset, true)
    view.setUint32(to + start, word(12) ^ 0x8000_0000)
    view.setUint32(to + start + 4, word(8))
    view.setUint32(to + start + 8, word(4))
    view.setUint32(to + start + 12, word(0))
  }
}

/**
 * Narrows an array of 128-bit integers to 64 bits, in place in DuckDB's memory. Throws `invalid_sql` if a value does not
 * fit.
 */
function narrow(
  { u8, u32 }: { readonly u8: Uint8Array; readonly u32: Uint32Array },
  array: number,
  rows: number,
  isSigned: boolean,
  column: string,
): void {
  const buffers = (u32[(array + ARRAY.buffers) / 4] ?? 0) / 4
  const [validity = 0, data = 0] = u32.subarray(buffers, buffers + 2)
  const isValid = (row: number) => validity === 0 || ((u8[validity + (row >> 3)] ?? 0) >> (row & 7)) & 1
  const words = u32.subarray(data / 4, data / 4 + 4 * rows)
  for (let row = 0; row < rows; row++) {
    const [w0 = 0, w1 = 0, w2 = 0, w3 = 0] = [
      words[4 * row],
      words[4 * row + 1],
      words[4 * row + 2],
      words[4 * row + 3],
    ]
    const above = isSigned && w1 >> 31 ? 0xffff_ffff : 0
    if ((w2 !== above || w3 !== above) && isValid(row)) {
      const type = isSigned ? 'Int64' : 'UInt64'
      throw new ServiceError(
        'invalid_sql',
        `Out of Range Error: a value of column "${column}" does not fit into ${type}: cast it, for example to DOUBLE or DECIMAL(38, 0).`,
      )
    }
    words[2 * row] = w0
    words[2 * row + 1] = w1
  }
}

/** Frees DuckDB's error data. Throws `not_supported` if it holds an error. */
function check(duck: Duck, error: number): void {
  const { api, memory } = duck
  const message = api.duckdb_error_data_has_error(error)
    ? memory.text(api.duckdb_error_data_message(error))
    : null
  duck.destroy('duckdb_destroy_error_data', error)
  if (message !== null) throw new ServiceError('not_supported', message.split('\n')[0] ?? message)
}
