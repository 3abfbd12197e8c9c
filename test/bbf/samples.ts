import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import * as arrow from 'apache-arrow'
import {
  DataType,
  Float,
  Int,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table,
  Timestamp,
  tableToIPC,
} from 'apache-arrow'
import type { Sample } from '../formats/conformance.ts'
import { columnValues, type Value } from '../formats/values.ts'

/** Files of the reference writer, with the tables that the reference reader gives. */
const FOLDER = join(import.meta.dirname, '..', 'fixtures', 'bbf')

/** A value in JSON: integers of 64 bits, timestamps, and floats that are not finite are texts. */
type JsonValue = string | number | boolean | null

export interface ExpectedTable {
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly rows: readonly (readonly JsonValue[])[]
}

/** The names of the samples that have a table. */
export function sampleNames(): readonly string[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.expected.json'))
    .map((file) => basename(file, '.expected.json'))
}

export function expectedTable(name: string): ExpectedTable {
  return JSON.parse(readFileSync(join(FOLDER, `${name}.expected.json`), 'utf8'))
}

/** The values of each column. */
export function expectedValues(name: string): Value[][] {
  return columnValues(arrowTable(expectedTable(name)))
}

export function sampleFile(name: string): string {
  return join(FOLDER, `${name}.bbf`)
}

/** Writes the tables as the conformance suite wants them, into a folder. */
export function conformanceSamples(folder: string): Sample[] {
  mkdirSync(folder, { recursive: true })
  return sampleNames().map((name) => {
    const expected = join(folder, `${name}.expected.arrow.gz`)
    writeFileSync(expected, gzipSync(tableToIPC(arrowTable(expectedTable(name)), 'stream')))
    return { name, location: sampleFile(name), expected }
  })
}

function typeOf(name: string): DataType {
  const timestamps = ['Seconds', 'Milliseconds', 'Microseconds', 'Nanoseconds']
  if (name.startsWith('Timestamp'))
    return new Timestamp(timestamps.indexOf(name.slice('Timestamp'.length)), null)
  if (name === 'Boolean') return new arrow.Bool()
  if (name === 'String') return new arrow.Utf8()
  if (name === 'Null') return new arrow.Null()
  const bits = Number(/\d+$/.exec(name)?.[0])
  if (name.startsWith('Float')) return new Float(bits === 32 ? 1 : 2)
  return new Int(!name.startsWith('U'), bits as 8 | 16 | 32 | 64)
}

/** Numbers are written into buffers as they are, because apache-arrow rounds and converts some. */
function arrowTable({ columns, rows }: ExpectedTable): Table {
  const types = columns.map(({ type }) => typeOf(type))
  const schema = new Schema(
    columns.map(({ name }, index) => new arrow.Field(name, types[index] ?? new arrow.Null(), true)),
  )
  const children = types.map((type, index) =>
    dataOf(
      type,
      rows.map((row) => row[index] ?? null),
    ),
  )
  const struct = makeData({ type: new Struct(schema.fields), length: rows.length, nullCount: 0, children })
  return new Table(schema, [new RecordBatch(schema, struct)])
}

function dataOf(type: DataType, values: readonly JsonValue[]) {
  const length = values.length
  const nullBitmap = bitmap(values.map((value) => value !== null))
  const nullCount = values.filter((value) => value === null).length
  const common = { length, nullBitmap, nullCount }
  if (DataType.isNull(type)) return makeData({ type, length })
  if (DataType.isBool(type))
    return makeData({ ...common, type, data: bitmap(values.map((value) => value === true)) })
  if (DataType.isUtf8(type)) {
    const texts = values.map((value) => Buffer.from(String(value ?? '')))
    const valueOffsets = new Int32Array(length + 1)
    for (const [index, text] of texts.entries())
      valueOffsets[index + 1] = (valueOffsets[index] ?? 0) + text.length
    return makeData({ ...common, type, valueOffsets, data: Buffer.concat(texts) })
  }
  const width = DataType.isFloat(type)
    ? type.precision === 1
      ? 4
      : 8
    : DataType.isInt(type)
      ? type.bitWidth / 8
      : 8
  const view = new DataView(new ArrayBuffer(width * length))
  for (const [index, value] of values.entries()) {
    if (value === null) continue
    if (DataType.isFloat(type) && width === 4) view.setFloat32(4 * index, Number(value), true)
    else if (DataType.isFloat(type)) view.setFloat64(8 * index, Number(value), true)
    else {
      const bits = BigInt.asUintN(8 * width, BigInt(String(value)))
      for (let byte = 0; byte < width; byte++)
        view.setUint8(width * index + byte, Number((bits >> BigInt(8 * byte)) & 255n))
    }
  }
  const data = new type.ArrayType(view.buffer)
  return makeData({ ...common, type: type as Int, data: data as Int32Array })
}

function bitmap(bits: readonly boolean[]): Uint8Array {
  const bytes = new Uint8Array(8 * Math.ceil(bits.length / 64))
  for (const [index, bit] of bits.entries())
    if (bit) bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (1 << (index & 7))
  return bytes
}
