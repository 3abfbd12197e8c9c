import { list, type Segment } from '../../../plan/source/segments.ts'
import { type Schema, valueType } from '../../../plan/types/schema.ts'
import type { ByteSource } from '../../store/byte-source.ts'
import { onlyObject, type Store } from '../../store/store.ts'
import { collect } from '../collect.ts'
import { locateErrors, locateErrorsInFile } from '../error-location.ts'
import type { OpenFile, Provider } from '../provider.ts'
import { rowsOfSegment } from '../ranges.ts'
import { chooseColumns } from '../wanted-columns.ts'
import { openBody } from './body.ts'
import { beginsAsArrow, readContainer } from './container.ts'
import { decodeArray } from './decode.ts'
import { createDictionaries } from './dictionaries.ts'
import { decodedBytes, type RecordBatch, readRecordBatch, storedBytes } from './record-batch.ts'

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
