import { inflateSync } from 'node:zlib'
import { ServiceError } from '../../../src/plan/errors.ts'
import { list } from '../../../src/plan/source/segments.ts'
import { type DataType, field } from '../../../src/plan/types/schema.ts'
import type { Column } from '../../../src/wasm/core/column.ts'
import { collect } from '../../../src/workers/formats/collect.ts'
import { locateErrorsInFile } from '../../../src/workers/formats/error-location.ts'
import { groupsFound } from '../../../src/workers/formats/groups-found.ts'
import type { OpenFile, Provider, ReadContext } from '../../../src/workers/formats/provider.ts'
import { rowsOfSegment } from '../../../src/workers/formats/ranges.ts'
import type { ByteSource } from '../../../src/workers/store/byte-source.ts'
import type { Store } from '../../../src/workers/store/store.ts'

const INTEGER: DataType = { kind: 'int', bits: 64, signed: true }

/** What the marker says: the number of segments, the rows of each, and the columns, to which `more.json` may add. */
interface Marker {
  readonly columns: readonly string[]
  readonly segments: number
  readonly rows: number
  /** Its groups are named in `groups.json`, and each is a folder of this format. */
  readonly hasGroups?: boolean
}

/** A folder of numbers: `a/0` has those of column `a` in segment 0, deflated; where there is no object they are -1. */
export const toy: Provider = Object.freeze({
  sniff: (store: Store) => store.open('toy.json') !== null,
  open: (store: Store) => locateErrorsInFile(store, 'Toy', () => open(store)),
})

function open(store: Store): OpenFile {
  const { file } = store
  const prefix = file.folder?.group === undefined ? '' : `${file.folder.group}/`
  const { columns, segments, rows, hasGroups } =
    documentOf<Marker>(store, `${prefix}toy.json`) ?? fault('it has no toy.json')
  if (hasGroups) throw groupsFound(file.path, documentOf<readonly string[]>(store, 'groups.json') ?? [])
  const names = [...columns, ...(documentOf<readonly string[]>(store, `${prefix}more.json`) ?? [])]
  const bytes = names.map(() => 8 * rows)
  return {
    schema: { fields: names.map((name) => field(name, INTEGER)), metadata: {} },
    segments: () =>
      list(Array.from({ length: segments }, () => ({ rows, decodedBytes: bytes, storedBytes: bytes }))),
    statistics: () => Array.from({ length: segments }, () => null),
    typeOf: ({ name }) => (names.includes(name) ? INTEGER : null),
    read: (store, range, asked, context) =>
      locateErrorsInFile(store, 'Toy', () => {
        const { segment, from, to } = rowsOfSegment(range, () => rows)
        const columns = collect(context.core, (made) => {
          for (const { name } of asked) {
            context.checkCancelled()
            made.push(columnOf(`${prefix}${name}/${segment}`, 8 * rows, from, to, store, context))
          }
        })
        return { rows: to - from, columns }
      }),
  }
}

function columnOf(
  key: string,
  size: number,
  from: number,
  to: number,
  store: Store,
  { core, chunks }: ReadContext,
): Column {
  const source = store.open(key)
  const rows = to - from
  const values =
    source === null
      ? new Uint8Array(8 * rows).fill(255)
      : new Uint8Array(
          chunks.get(store, key, source.version, () => inflated(key, source, size)),
          8 * from,
          8 * rows,
        )
  return core.assemble({ layout: 'fixed', parameter: 8, rows, buffers: [null, values] })
}

function inflated(key: string, source: ByteSource, size: number): ArrayBuffer {
  const stored = source.read(0, source.size)
  const bytes = damaged(key, () => inflateSync(stored, { maxOutputLength: size }))
  if (bytes.length !== size) fault(`${key} has ${bytes.length} of ${size} bytes`)
  return Uint8Array.from(bytes).buffer
}

function documentOf<T>(store: Store, key: string): T | null {
  const source = store.open(key)
  if (source === null) return null
  const text = Buffer.from(source.read(0, source.size)).toString()
  return damaged(key, () => JSON.parse(text))
}

/** Says which object it was that could not be read. */
function damaged<T>(key: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    throw new ServiceError('unreadable_file', `${key} is damaged`, { cause })
  }
}

function fault(what: string): never {
  throw new ServiceError('unreadable_file', what)
}
