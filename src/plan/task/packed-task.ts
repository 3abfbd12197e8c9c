import type { FileRef } from '../source/file.ts'
import type { BoxUnit, Unit } from '../source/unit.ts'
import { versionAt, versionNumbers } from '../source/version-numbers.ts'
import type { InspectTask } from './inspect.ts'
import type { FileUnit, ScanTask, Task } from './task.ts'

/**
 * A task as it is sent. One of many files has them by column: a message takes some microseconds to write and to read an object with its members,
 * and a tenth of that for as many numbers in a row.
 */
export type SentTask = Task | SentTasks | PackedInspection | PackedScan

interface SentTasks {
  readonly kind: 'packed_scans'
  readonly tasks: readonly SentTask[]
}

interface PackedInspection {
  readonly kind: 'packed_inspect'
  readonly task: Omit<InspectTask, 'files'>
  readonly files: PackedFiles
}

interface PackedScan {
  readonly kind: 'packed_scan'
  readonly task: Omit<ScanTask, 'file' | 'unit' | 'more'>
  readonly files: PackedFiles
  readonly units: PackedUnits
}

/** Files without constants, none of which is a folder, compressed or fetched from elsewhere. */
interface PackedFiles {
  /** What is in front of each path in the location of its file. */
  readonly root: string
  /** The paths, with a zero after each, which no path has. */
  readonly paths: string
  readonly versions: BigInt64Array
}

/** Units, and the index of the file of each among those that are sent. */
interface PackedUnits {
  readonly shapes: readonly Unit[]
  /** For each unit the index of what it is but for `file`, then `file`, and then the index of its file among those that are sent. */
  readonly words: Uint32Array
}

/** Tasks of fewer files are sent as they are. */
const LEAST_FILES = 8

const WORDS = 3

export function packTask(task: Task): SentTask {
  if (task.kind === 'scans') {
    const tasks = task.tasks.map(packTask)
    return tasks.every(isScan) ? task : { kind: 'packed_scans', tasks }
  }
  if (task.kind === 'inspect') {
    const { files, ...rest } = task
    const packed = packFiles(files)
    return packed === null ? task : { kind: 'packed_inspect', task: rest, files: packed }
  }
  if (task.kind !== 'scan' || task.more.length < LEAST_FILES) return task
  const { file, unit, more, ...rest } = task
  const all = [{ file, unit }, ...more]
  const files: FileRef[] = []
  for (const each of all) if (each.file !== files.at(-1)) files.push(each.file)
  const packed = packFiles(files)
  if (packed === null) return task
  return { kind: 'packed_scan', task: rest, files: packed, units: packUnits(all) }
}

export function unpackTask(sent: SentTask): Task {
  if (sent.kind === 'packed_scans') return { kind: 'scans', tasks: sent.tasks.map(unpackTask).filter(isScan) }
  if (sent.kind === 'packed_inspect') return { ...sent.task, files: unpackFiles(sent.files) }
  if (sent.kind !== 'packed_scan') return sent
  const [first, ...more] = unpackUnits(sent.units, unpackFiles(sent.files))
  if (first === undefined) throw new TypeError('a scan of no unit')
  return { ...sent.task, file: first.file, unit: first.unit, more }
}

function isScan(task: SentTask): task is ScanTask {
  return task.kind === 'scan'
}

/** Null: they are few, or one of them has more than a path and a version. */
function packFiles(files: readonly FileRef[]): PackedFiles | null {
  const [first] = files
  if (first === undefined || files.length < LEAST_FILES || !first.location.endsWith(first.path)) return null
  const root = first.location.slice(0, first.location.length - first.path.length)
  let paths = ''
  for (const { path, location, constants, folder, plain, fetched } of files) {
    if (constants !== undefined || folder !== undefined || plain !== undefined || fetched !== undefined)
      return null
    if (
      location.length !== root.length + path.length ||
      !location.endsWith(path) ||
      !location.startsWith(root)
    )
      return null
    paths += `${path}\0`
  }
  return { root, paths, versions: versionNumbers(files) }
}

function unpackFiles({ root, paths, versions }: PackedFiles): readonly FileRef[] {
  const all = paths.split('\0')
  all.pop()
  return all.map((path, index) => ({ path, location: root + path, version: versionAt(versions, index) }))
}

function packUnits(all: readonly FileUnit[]): PackedUnits {
  const shapes: Unit[] = []
  /** Boxes of files of equal sizes have the same extent, as an object. */
  const boxes = new Map<readonly number[], { readonly box: BoxUnit; readonly index: number }>()
  const words = new Uint32Array(WORDS * all.length)
  let before: FileRef | null = null
  let files = 0
  let at = 0
  for (const { file, unit } of all) {
    if (file !== before) files++
    before = file
    const earlier = unit.kind === 'box' ? boxes.get(unit.extent) : undefined
    if (unit.kind === 'box' && earlier !== undefined && isSameBox(unit, earlier.box))
      words[at++] = earlier.index
    else {
      const index = shapes.push(unit) - 1
      if (unit.kind === 'box') boxes.set(unit.extent, { box: unit, index })
      words[at++] = index
    }
    words[at++] = unit.file
    words[at++] = files - 1
  }
  return { shapes, words }
}

/** Whether two boxes differ in nothing but their file. */
function isSameBox(a: BoxUnit, b: BoxUnit): boolean {
  return (
    a.origin === b.origin &&
    a.dimensions === b.dimensions &&
    a.decodedBytes === b.decodedBytes &&
    a.chunk === b.chunk &&
    a.exclusive === b.exclusive &&
    a.tile === b.tile
  )
}

function unpackUnits({ shapes, words }: PackedUnits, files: readonly FileRef[]): readonly FileUnit[] {
  return Array.from({ length: words.length / WORDS }, (_, index) => {
    const shape = shapes[words[WORDS * index] ?? 0]
    const file = files[words[WORDS * index + 2] ?? 0]
    if (shape === undefined || file === undefined) throw new TypeError(`no unit ${index}`)
    return { file, unit: { ...shape, file: words[WORDS * index + 1] ?? 0 } }
  })
}
