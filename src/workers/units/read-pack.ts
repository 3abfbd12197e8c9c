import type { ScanSpec, SourceColumn } from '../../plan/scan.ts'
import type { FileRef } from '../../plan/source/file.ts'
import { rowsIn } from '../../plan/source/range.ts'
import { list } from '../../plan/source/segments.ts'
import type { FileUnit } from '../../plan/task/task.ts'
import { rowWidth } from '../../plan/types/row-width.ts'
import { field } from '../../plan/types/schema.ts'
import type { Column } from '../../wasm/core/column.ts'
import { collect } from '../formats/collect.ts'
import type { ColumnSet, OpenFile, ReadContext, Selection } from '../formats/provider.ts'
import type { DecodedUnit } from '../state/decoded-units.ts'
import type { TaskContext } from '../state/task-context.ts'
import { withMemory } from '../state/with-memory.ts'
import type { WorkerState } from '../state/worker-state.ts'
import { NO_FOLDERS, NO_OBJECTS, type Store } from '../store/store.ts'
import { decodeUnit } from './decode-unit.ts'
import { MOST_PACK_BYTES, type Pack } from './packs.ts'
import { readColumns } from './read-columns.ts'
import { readRange } from './read-range.ts'

/** A file of a pack, with all of its bytes in memory. */
interface Member {
  readonly unit: FileUnit['unit']
  readonly rows: number
  readonly store: Store
  readonly opened: OpenFile
}

/**
 * Reads and filters the units of a pack as one unit, whose rows are theirs in their order. Each file is read once, as a whole, and
 * checked to be the version that was planned. The caller releases the unit.
 */
export function readPack(pack: Pack, scan: ScanSpec, state: WorkerState, context: TaskContext): DecodedUnit {
  return withMemory(state, context, () => readOnce(pack, scan, state, context))
}

function readOnce(pack: Pack, scan: ScanSpec, state: WorkerState, context: TaskContext): DecodedUnit {
  const { stopwatch } = context
  const [first] = pack
  if (first === undefined) throw new TypeError('a pack without files')
  const decodedBytes = pack.reduce((sum, { unit }) => sum + unit.decodedBytes, 0)
  const rows = pack.reduce((sum, { unit }) => sum + (rowsIn(unit) ?? 0), 0)
  state.reclaim(decodedBytes, stopwatch)
  state.chunks.beginUnit()
  const columns = state.columns?.ofPack(scan.format, pack, stopwatch) ?? null
  const members: Member[] = []
  const file = packedFile(scan, rows, () => {
    if (members.length === 0) openMembers(pack, scan, state, context, members)
    return members
  })
  const unit = { kind: 'rows', segment: 0, from: 0, to: rows, decodedBytes, file: 0 } as const
  let decoded: DecodedUnit | null = null
  try {
    decoded = decodeUnit(scan, unit, file, columns, packedStore(first.file), context)
    stopwatch.addRowsScanned(decoded.rowsScanned)
    if (members.length === 0) verify(pack, state, context)
    columns?.keep()
    context.chunks.statistics?.keep()
    stopwatch.setChunkBytes(state.chunks.bytes)
    if (state.columns !== null) stopwatch.setColumnBytes(state.columns.bytes)
    return decoded
  } catch (error) {
    columns?.drop()
    context.chunks.statistics?.drop()
    if (decoded !== null) state.units.release(decoded)
    throw error
  } finally {
    for (const { store } of members) store[Symbol.dispose]()
  }
}

/** The memory into which the files of a pack are read. A thread reads one pack at a time. */
let memory: Uint8Array | null = null

/** Reads the files, and opens what they hold. Those that are open if it throws are in `members`. */
function openMembers(
  pack: Pack,
  { format }: ScanSpec,
  { store: openStore, uncached }: WorkerState,
  context: TaskContext,
  members: Member[],
): void {
  memory ??= new Uint8Array(MOST_PACK_BYTES)
  let at = 0
  for (const { file, unit } of pack) {
    context.checkCancelled()
    const before = members.at(-1)
    const rows = rowsIn(unit) ?? 0
    if (before?.store.file === file) {
      members.push({ ...before, unit, rows })
      continue
    }
    const store = openStore(file, context.stopwatch)
    try {
      const end = at + Number(file.version.size)
      store.hold?.(memory.subarray(at, end))
      at = end
      const opened = uncached.open(format, store, context)
      members.push({ unit, rows, store, opened })
    } catch (error) {
      store[Symbol.dispose]()
      throw error
    }
  }
}

/** Checks the files of a pack all of whose columns are cached. */
function verify(pack: Pack, { store: openStore }: WorkerState, { stopwatch }: TaskContext): void {
  for (const { file } of pack) {
    using store = openStore(file, stopwatch)
    store.verify()
  }
}

/** The files of a pack as one file of one segment, whose columns are those of the scan. */
function packedFile(
  { columns: scanned }: ScanSpec,
  rows: number,
  membersOf: () => readonly Member[],
): OpenFile {
  const widths = scanned.map(({ type }) => rows * rowWidth(type))
  const segments = list([{ rows, decodedBytes: widths, storedBytes: widths }])
  return {
    schema: { fields: scanned.map(({ name, type }) => field(name, type)), metadata: {} },
    segments: () => segments,
    statistics: () => [],
    typeOf: ({ type }) => type,
    read: (_store, _range, columns, context, selection) =>
      readMembers(membersOf(), columns, context, selection),
  }
}

/** Reads columns of all files in the types of the scan. Those of a file of which no row is selected are null. */
function readMembers(
  members: readonly Member[],
  columns: readonly SourceColumn[],
  context: ReadContext,
  selection: Selection | undefined,
): ColumnSet {
  const { core } = context
  const parts = columns.map((): Column[] => [])
  let rows = 0
  let hasGaps = false
  try {
    for (const member of members) {
      context.checkCancelled()
      const isWanted = selection?.hasAny(rows, rows + member.rows) ?? true
      hasGaps ||= !isWanted
      rows += member.rows
      const read = isWanted ? readMember(member, columns, context) : null
      for (const [index, { name, type }] of columns.entries())
        parts[index]?.push(read?.get(name) ?? core.constant(type, null, member.rows))
    }
    const joined = collect(core, (all) => {
      for (const each of parts) all.push(core.concat(each))
    })
    return { rows, columns: joined, ...(hasGaps && { hasGaps }) }
  } finally {
    for (const each of parts.flat()) core.free(each)
  }
}

function readMember(
  { unit, rows, store, opened }: Member,
  columns: readonly SourceColumn[],
  context: ReadContext,
): ReadonlyMap<string, Column> {
  const read = (stored: readonly SourceColumn[]) => readRange(opened, store, unit, stored, context).columns
  return readColumns(columns, rows, opened, read, store, context)
}

/** The store of a pack, which has no objects of its own. */
function packedStore({ path, location, version }: FileRef): Store {
  return {
    file: { path, location, version },
    open: () => null,
    foldersIn: () => NO_FOLDERS,
    isStill: () => false,
    verify() {},
    objects: () => NO_OBJECTS,
    [Symbol.dispose]() {},
  }
}
