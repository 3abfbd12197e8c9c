import { ServiceError } from '../../../plan/errors.ts'
import { list, type Segment } from '../../../plan/source/segments.ts'
import {
  type DataType,
  DECIMAL_DIGITS,
  type Field,
  type Schema,
  valueType,
} from '../../../plan/types/schema.ts'
import type { ByteSource } from '../../store/byte-source.ts'
import { onlyObject, type Store } from '../../store/store.ts'
import { collect } from '../collect.ts'
import { locateErrors, locateErrorsInFile } from '../error-location.ts'
import { fault } from '../fault.ts'
import type { OpenFile, Provider } from '../provider.ts'
import { rowsOfSegment } from '../ranges.ts'
import { chooseColumns } from '../wanted-columns.ts'
import { openBody } from './body.ts'
import { decodeArray } from './decode.ts'
import { createDictionaries } from './dictionaries.ts'
import { hasFileMagic, isFeather1, readFile } from './file.ts'
import type { Container } from './message.ts'
import { readSchema } from './read-schema.ts'
import { decodedBytes, type RecordBatch, readRecordBatch, storedBytes } from './record-batch.ts'
import { readStorages, type Storage } from './storage.ts'
import { beginsAsStream, readStream } from './stream.ts'

/** Reads Arrow IPC files and streams (Arrow columnar format 1.5). A segment is a record batch. See docs/reference/arrow.md. */
export const arrow: Provider = Object.freeze({
  sniff: (store: Store) => beginsAsArrow(onlyObject(store)),
  open: (store: Store) => locateErrorsInFile(store, 'Arrow', () => open(onlyObject(store))),
})

function open(opened: ByteSource): OpenFile {
  const { columns, storages, batches, dictionaries: stored } = readContainer(opened)
  const dictionaries = createDictionaries(stored)
  const fields = columns.fields.map((field, i) => {
    // A column has one type in the whole file, so one whose dictionary is replaced half-way is read as its values.
    const id = storages[i]?.dictionary?.id
    return id !== undefined && dictionaries.isReplaced(id) ? { ...field, type: valueType(field.type) } : field
  })
  const schema: Schema = { fields, metadata: columns.metadata }
  const byName = new Map(schema.fields.map((field, index) => [field.name, { field, index }]))
  const outlines = batches.map((batch, i) =>
    locateErrors(`record batch ${i}`, () => outlineOf(readRecordBatch(batch, storages))),
  )
  const segments = list(outlines.map(({ segment }) => segment))
  return {
    schema,
    segments: () => segments,
    statistics(name) {
      const index = byName.get(name)?.index ?? -1
      return outlines.map(({ nulls }) => {
        const count = nulls[index] ?? null
        return count === null ? null : { nulls: count }
      })
    },
    typeOf: ({ name }) => byName.get(name)?.field.type ?? null,
    read(store, range, asked, context) {
      const { segment, from, to } = rowsOfSegment(
        range,
        (batch) => outlines[batch]?.segment.rows ?? undefined,
      )
      const batch = batches[segment]
      if (batch === undefined) throw new RangeError(`no record batch ${segment}`)
      const wanted = chooseColumns(asked, byName)
      if (from === to)
        return { rows: 0, columns: wanted.map(({ field }) => context.core.constant(field.type, null, 0)) }
      const source = onlyObject(store)
      return locateErrorsInFile(store, 'Arrow', () =>
        locateErrors(`record batch ${segment}`, () => {
          const { arrays, codec } = readRecordBatch(batch, storages)
          const chosen = wanted.flatMap(({ index }) => arrays[index] ?? [])
          const body = openBody(chosen, codec, source, context)
          const decoding = { ...context, source, dictionaries, position: segment }
          const columns = collect(context.core, (decodedColumns) => {
            for (const [i, array] of chosen.entries()) {
              context.checkCancelled()
              const decode = () => decodeArray(array, body, from, to, decoding)
              decodedColumns.push(
                locateErrors(`column "${wanted[i]?.field.name}"`, () =>
                  context.stopwatch.time('decode', decode),
                ),
              )
            }
          })
          return { rows: to - from, columns }
        }),
      )
    },
  }
}

/** What an opened file remembers of a record batch whose header has been checked. */
interface Outline {
  readonly segment: Segment
  /** The number of nulls in each column; null where it is not known. */
  readonly nulls: readonly (number | null)[]
}

function outlineOf({ rows, codec, arrays }: RecordBatch): Outline {
  return {
    segment: {
      rows,
      decodedBytes: arrays.map((array) => decodedBytes(array, codec)),
      storedBytes: arrays.map(storedBytes),
    },
    // The count of a dictionary column is of null indices, and values of the dictionary may be null as well.
    nulls: arrays.map(({ storage, nulls }) =>
      storage.dictionary !== null ? null : storage.layout.layout === 'null' ? rows : nulls,
    ),
  }
}

/** Reads all metadata of a file or a stream; its first bytes tell which it is. Throws `unreadable_file` and `memory_limit`. */
function readContainer(
  source: ByteSource,
): Container & { readonly columns: Schema; readonly storages: readonly Storage[] } {
  if (isFeather1(source)) throw fault('it is a Feather file of version 1; only version 2 is Arrow IPC')
  const container = hasFileMagic(source) ? readFile(source) : readStream(source)
  const columns = readSchema(container.schema)
  const names = new Set<string>()
  for (const { name } of columns.fields) {
    if (names.has(name)) throw fault(`two of its columns are named "${name}"`)
    names.add(name)
  }
  checkDecimals(columns.fields)
  return { ...container, columns, storages: readStorages(container.schema, columns) }
}

/** Whether the source begins as an Arrow IPC file or stream. */
function beginsAsArrow(source: ByteSource): boolean {
  return hasFileMagic(source) || beginsAsStream(source)
}

/** The largest scale and, negated, the smallest: Arrow for Rust keeps it in 8 bits. One of billions could not be printed. */
const MAX_SCALE = 127

/**
 * Throws `unreadable_file` if a decimal type at any depth has more precision than its bits can hold, or a scale out of range.
 * An answer has the types of the file, and no client can read one with such a type. `parent` is the path of the fields.
 */
function checkDecimals(fields: readonly Field[], parent = ''): void {
  for (const field of fields) {
    const path = parent === '' ? field.name : `${parent}.${field.name}`
    const type = valueType(field.type)
    if (type.kind !== 'decimal') {
      checkDecimals(childFields(type), path)
      continue
    }
    const { bits, precision, scale } = type
    const digits = DECIMAL_DIGITS[bits]
    const refuse = (what: string): ServiceError =>
      new ServiceError('unreadable_file', `column "${path}" has the type Decimal${bits} of ${what}`)
    if (precision < 1 || precision > digits)
      throw refuse(
        `precision ${precision}, which may be 1 to ${digits}: write it as a decimal of more bits, or of the precision that its values have`,
      )
    if (scale < -MAX_SCALE || scale > MAX_SCALE)
      throw refuse(`scale ${scale}, which may be ${-MAX_SCALE} to ${MAX_SCALE}`)
  }
}

function childFields(type: DataType): readonly Field[] {
  switch (type.kind) {
    case 'list':
    case 'large_list':
    case 'fixed_list':
      return [type.item]
    case 'struct':
      return type.fields
    case 'map':
      return [type.entries]
    default:
      return []
  }
}
