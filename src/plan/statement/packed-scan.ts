import type { ScanSpec } from '../scan.ts'
import type { FileRef } from '../source/file.ts'
import type { GridUnits } from '../source/grid-units.ts'
import type { RowsUnit, RunUnit, TextUnit, Unit } from '../source/unit.ts'
import type { UnitRun } from '../source/unit-space.ts'
import { versionKey, versionOfKey } from '../source/version.ts'
import { STEP_ITEMS, type Steps } from '../steps.ts'
import type { Values } from './made-rows.ts'
import type { OpenScan } from './statement.ts'

/**
 * An `OpenScan` in the form in which it is sent to a worker: few strings and numbers. To copy ten thousand files and units as
 * objects takes the main thread 20 ms.
 */
export interface PackedScan {
  readonly scan: ScanSpec
  readonly files: PackedFiles
  readonly count: number
  readonly runs: readonly (PackedUnits | GridUnits)[]
  readonly rowsOf: OpenScan['rowsOf']
  readonly values?: readonly Values[]
}

/** Lists of strings, each joined by zero bytes, which no path has, and encoded in UTF-8. */
export interface PackedFiles {
  readonly count: number
  readonly paths: Uint8Array
  readonly locations: Uint8Array
  /** As `versionKey` gives them. */
  readonly versions: Uint8Array
  /** What only some files have, by their indexes. */
  readonly others: readonly (readonly [number, OtherMembers])[]
}

type OtherMembers = Pick<FileRef, 'constants' | 'folder' | 'plain' | 'fetched'>

/** `ListedUnits`, as `UNIT_NUMBERS` numbers for each unit. */
interface PackedUnits {
  readonly kind: 'packed'
  readonly first: number
  readonly numbers: Float64Array
}

/**
 * File, segment, from, to and decoded bytes. A block of text has no rows: `from` is -1. Of a run of entries, `from` is the first of them,
 * subtracted from -2.
 */
const UNIT_NUMBERS = 5
const TEXT = -1
const RUN = -2

const SEPARATOR = '\0'

export function* packScan({ scan, files, units, rowsOf, values }: OpenScan): Steps<PackedScan> {
  const runs: (PackedUnits | GridUnits)[] = []
  for (const run of units.runs) runs.push(run.kind === 'grid' ? run : yield* packUnits(run.first, run.units))
  const packed = { scan, files: yield* packFiles(files), count: units.count, runs, rowsOf }
  return values === undefined ? packed : { ...packed, values }
}

export function unpackScan({ scan, files, count, runs, rowsOf, values }: PackedScan): OpenScan {
  const unpacked = runs.map((run): UnitRun => (run.kind === 'grid' ? run : unpackUnits(run, rowsOf ?? [])))
  const open = { scan, files: unpackFiles(files), units: { count, runs: unpacked }, rowsOf }
  return values === undefined ? open : { ...open, values }
}

/** The locations of packed files. */
export function packedLocations({ count, locations }: PackedFiles): readonly string[] {
  return unpackStrings(count, locations)
}

function* packFiles(files: readonly FileRef[]): Steps<PackedFiles> {
  const others: (readonly [number, OtherMembers])[] = []
  for (const [index, { constants, folder, plain, fetched }] of files.entries())
    if (constants !== undefined || folder !== undefined || plain !== undefined || fetched !== undefined)
      others.push([
        index,
        {
          ...(constants && { constants }),
          ...(folder && { folder }),
          ...(plain && { plain }),
          ...(fetched && { fetched }),
        },
      ])
  return {
    count: files.length,
    paths: yield* packStrings(files, ({ path }) => path),
    locations: yield* packStrings(files, ({ location }) => location),
    versions: yield* packStrings(files, ({ version }) => versionKey(version)),
    others,
  }
}

function unpackFiles(packed: PackedFiles): readonly FileRef[] {
  const [paths, versions] = [packed.paths, packed.versions].map((each) => unpackStrings(packed.count, each))
  const files = packedLocations(packed).map(
    (location, index): FileRef => ({
      path: paths?.[index] ?? '',
      location,
      version: versionOfKey(versions?.[index] ?? ''),
    }),
  )
  for (const [index, other] of packed.others) {
    const file = files[index]
    if (file !== undefined) files[index] = { ...file, ...other }
  }
  return files
}

function* packStrings(files: readonly FileRef[], stringOf: (file: FileRef) => string): Steps<Uint8Array> {
  const encoder = new TextEncoder()
  const texts: Uint8Array[] = []
  for (let from = 0; from < files.length; from += STEP_ITEMS) {
    const strings = files.slice(from, from + STEP_ITEMS).map(stringOf)
    texts.push(encoder.encode((from === 0 ? '' : SEPARATOR) + strings.join(SEPARATOR)))
    yield
  }
  const bytes = new Uint8Array(texts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const text of texts) {
    bytes.set(text, at)
    at += text.length
  }
  return bytes
}

function unpackStrings(count: number, bytes: Uint8Array): readonly string[] {
  return count === 0 ? [] : new TextDecoder().decode(bytes).split(SEPARATOR)
}

function* packUnits(first: number, units: readonly Unit[]): Steps<PackedUnits> {
  const numbers = new Float64Array(UNIT_NUMBERS * units.length)
  for (const [index, unit] of units.entries()) {
    if (index % STEP_ITEMS === STEP_ITEMS - 1) yield
    if (unit.kind === 'box') throw new TypeError('a box in a list of units')
    const [from, to] = boundsOf(unit)
    numbers.set([unit.file, unit.segment, from, to, unit.decodedBytes], UNIT_NUMBERS * index)
  }
  return { kind: 'packed', first, numbers }
}

function boundsOf(unit: RowsUnit | TextUnit | RunUnit): readonly [number, number] {
  if (unit.kind === 'text') return [TEXT, TEXT]
  return unit.kind === 'rows' ? [unit.from, unit.to] : [RUN - unit.from, unit.to]
}

/** `rowsOf` are the columns whose arrays make the rows of entries. */
function unpackUnits({ first, numbers }: PackedUnits, rowsOf: readonly string[]): UnitRun {
  const units = Array.from({ length: numbers.length / UNIT_NUMBERS }, (_, index): Unit => {
    const unitNumbers = numbers.subarray(UNIT_NUMBERS * index, UNIT_NUMBERS * (index + 1))
    const [file = 0, segment = 0, from = 0, to = 0, decodedBytes = 0] = unitNumbers
    if (from === TEXT) return { kind: 'text', file, segment, begin: null, decodedBytes }
    if (from <= RUN) return { kind: 'run', file, segment, from: RUN - from, to, rowsOf, decodedBytes }
    return { kind: 'rows', file, segment, from, to, decodedBytes }
  })
  return { kind: 'list', first, units }
}
