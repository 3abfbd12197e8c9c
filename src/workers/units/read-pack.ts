import { getOrMake } from '../../plan/get-or-make.ts'
import type { ScanSpec, SourceColumn } from '../../plan/scan.ts'
import type { FileRef } from '../../plan/source/file.ts'
import { rowsIn } from '../../plan/source/range.ts'
import { list } from '../../plan/source/segments.ts'
import type { Unit } from '../../plan/source/unit.ts'
import type { FileUnit } from '../../plan/task/task.ts'
import { rowWidth } from '../../plan/types/row-width.ts'
import { field, sameType } from '../../plan/types/schema.ts'
import type { Column } from '../../wasm/core/column.ts'
import { collect } from '../formats/collect.ts'
import type {
  ColumnSet,
  FilesTogether,
  HeldFile,
  OpenFile,
  ReadContext,
  Selection,
} from '../formats/provider.ts'
import type { DecodedUnit } from '../state/decoded-units.ts'
import type { TaskContext } from '../state/task-context.ts'
import { withMemory } from '../state/with-memory.ts'
import type { WorkerState } from '../state/worker-state.ts'
import { heldMemory } from '../store/held-memory.ts'
import { openHeld } from '../store/open-held.ts'
import { NO_FOLDERS, NO_OBJECTS, type Store } from '../store/store.ts'
import { decodeUnit, type Wanted } from './decode-unit.ts'
import type { Pack } from './packs.ts'
import { readColumns, storedType } from './read-columns.ts'
import { readRange } from './read-range.ts'

interface Member extends HeldFile {
  readonly range: Unit
}

/** The files of a pack, whose bytes are in memory. */
interface Members extends Disposable {
  readonly count: number
  /** The member at an index. There is one object for all of them, which is the next one after the next call. */
  at(index: number): Member
}

/**
 * Reads and filters the units of a pack as one unit, whose rows are theirs in their order. Each file is read once, as a whole, and
 * checked to be the version that was planned. The caller releases the unit.
 */
export function readPack(
  pack: Pack,
  scan: ScanSpec,
  state: WorkerState,
  context: TaskContext,
  wanted: Wanted,
): DecodedUnit {
  return withMemory(state, context, () => readOnce(pack, scan, state, context, wanted))
}

function readOnce(
  pack: Pack,
  scan: ScanSpec,
  state: WorkerState,
  context: TaskContext,
  wanted: Wanted,
): DecodedUnit {
  const { stopwatch } = context
  const [first] = pack
  if (first === undefined) throw new TypeError('a pack without files')
  const decodedBytes = pack.reduce((sum, { unit }) => sum + unit.decodedBytes, 0)
  const rows = pack.reduce((sum, { unit }) => sum + (rowsIn(unit) ?? 0), 0)
  state.reclaim(decodedBytes, stopwatch)
  state.chunks.beginUnit()
  const columns = state.columns?.ofPack(scan.format, pack, stopwatch) ?? null
  /** None if no file had to be read. */
  const read: Members[] = []
  const file = packedFile(scan, rows, state, () => {
    const members = read[0] ?? readFiles(pack, scan, state, context)
    if (read.length === 0) read.push(members)
    return members
  })
  const unit = { kind: 'rows', segment: 0, from: 0, to: rows, decodedBytes, file: 0 } as const
  let decoded: DecodedUnit | null = null
  try {
    decoded = decodeUnit(scan, unit, file, columns, packedStore(first.file), context, false, wanted)
    if (wanted.rows === undefined) stopwatch.addUnit(decoded.rowsScanned, decoded.rowsPassed)
    else stopwatch.count('rowsReadLate', wanted.rows.length)
    if (read.length === 0) verify(pack, state, context)
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
    for (const members of read) members[Symbol.dispose]()
  }
}

/** Reads the files into memory of the thread. Their stores are opened when a reader asks for them. */
function readFiles(
  pack: Pack,
  { format }: ScanSpec,
  { store: openStore, readSmall, isCaching, uncached }: WorkerState,
  context: TaskContext,
): Members {
  const { stopwatch, checkCancelled } = context
  const memory = heldMemory()
  const starts = new Uint32Array(pack.length)
  stopwatch.time('read', () => {
    let end = 0
    let before: FileRef | null = null
    for (let index = 0; index < pack.length; index++) {
      const { file } = at(pack, index)
      if (file === before) {
        starts[index] = starts[index - 1] ?? 0
        continue
      }
      checkCancelled()
      readSmall(file, memory, end, stopwatch)
      starts[index] = end
      end += Number(file.version.size)
      before = file
    }
  })

  const stores = new Map<FileRef, Store>()
  const opened = new Map<FileRef, OpenFile>()
  const { file, unit } = at(pack, 0)
  /** The member that was asked for last: the walk over thousands of files makes no object for each. */
  const member = {
    file,
    memory,
    at: 0,
    size: 0,
    isCaching,
    range: unit,
    rows: 0,
    get store() {
      return getOrMake(stores, member.file, () =>
        openHeld(openStore, member.file, memory.subarray(member.at, member.at + member.size), stopwatch),
      )
    },
    open: () => getOrMake(opened, member.file, () => uncached.open(format, member.store, context)),
  }
  return {
    count: pack.length,
    at(index) {
      const { file, unit } = at(pack, index)
      member.file = file
      member.at = starts[index] ?? 0
      member.size = Number(file.version.size)
      member.range = unit
      member.rows = rowsIn(unit) ?? 0
      return member
    },
    [Symbol.dispose]() {
      for (const store of stores.values()) store[Symbol.dispose]()
    },
  }
}

function at(pack: Pack, index: number): FileUnit {
  const each = pack[index]
  if (each === undefined) throw new RangeError(`member ${index} of ${pack.length}`)
  return each
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
  { columns: scanned, format }: ScanSpec,
  rows: number,
  state: WorkerState,
  membersOf: () => Members,
): OpenFile {
  const widths = scanned.map(({ type }) => rows * rowWidth(type))
  const segments = list([{ rows, decodedBytes: widths, storedBytes: widths }])
  return {
    schema: { fields: scanned.map(({ name, type }) => field(name, type)), metadata: {} },
    segments: () => segments,
    statistics: () => [],
    typeOf: ({ type }) => type,
    read: (_store, _range, columns, context, selection) =>
      readMembers(membersOf(), columns, state.together(format), context, selection),
  }
}

/** Reads columns of all files in the types of the scan. Those of a file of which no row is selected are null. */
function readMembers(
  members: Members,
  columns: readonly SourceColumn[],
  togetherOfFormat: ReturnType<WorkerState['together']>,
  context: ReadContext,
  selection: Selection | undefined,
): ColumnSet {
  const { core, stopwatch } = context
  const parts = columns.map((): Column[] => [])
  const append = (next: readonly Column[]): void => {
    for (const [index, column] of next.entries()) parts[index]?.push(column)
  }
  using together =
    columns.length > 0 && togetherOfFormat !== null
      ? togetherOfFormat(columns, context)
      : openTogether(members, columns, context)
  let pending = 0
  const appendPending = (): void => {
    if (together === null || pending === 0) return
    append(stopwatch.time('decode', () => together.take()))
    pending = 0
  }
  let rows = 0
  let hasGaps = false
  try {
    for (let index = 0; index < members.count; index++) {
      const member = members.at(index)
      context.checkCancelled()
      const isWanted = selection?.hasAny(rows, rows + member.rows) ?? true
      hasGaps ||= !isWanted
      rows += member.rows
      const canAdd = isWanted && together !== null && isInOrder(member)
      let isAdded = canAdd && together.add(member)
      if (!isAdded) {
        // Behind files that are laid out otherwise it may be appended.
        const wasPending = pending > 0
        appendPending()
        isAdded = canAdd && wasPending && together.add(member)
      }
      if (isAdded) {
        pending++
        continue
      }
      const read = isWanted ? readMember(member, columns, context) : null
      append(columns.map(({ name, type }) => read?.get(name) ?? core.constant(type, null, member.rows)))
    }
    appendPending()
    const joined = collect(core, (all) => {
      for (const each of parts) {
        // Mostly all files are read together, and there is nothing to join.
        const [only] = each
        all.push(only !== undefined && each.length === 1 ? core.share(only) : core.concat(each))
      }
    })
    return { rows, columns: joined, ...(hasGaps && { hasGaps }) }
  } finally {
    for (const each of parts.flat()) core.free(each)
  }
}

/** Begins to read columns of files together, as they are laid out in the first one. Null: they are read file by file. */
function openTogether(
  members: Members,
  columns: readonly SourceColumn[],
  context: ReadContext,
): FilesTogether | null {
  if (columns.length === 0) return null
  const first = members.at(0)
  const opened = first.open()
  const areSame = columns.every((column) => {
    const type = storedType(column, opened, first.store)
    return type !== null && sameType(type, column.type)
  })
  return areSame ? (opened.together?.(columns, first.store, context) ?? null) : null
}

/** Whether the rows of a unit are in C order, and not chunk by chunk. */
function isInOrder({ range }: Member): boolean {
  return range.kind !== 'box' || range.chunk === undefined
}

function readMember(
  { range, rows, store, open }: Member,
  columns: readonly SourceColumn[],
  context: ReadContext,
): ReadonlyMap<string, Column> {
  const opened = open()
  const read = (stored: readonly SourceColumn[]) => readRange(opened, store, range, stored, context).columns
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
