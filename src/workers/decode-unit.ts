import { isServiceError, ServiceError } from '../plan/errors.ts'
import type { ScanSpec, SourceColumn } from '../plan/plan.ts'
import { columnsOf } from '../plan/predicate.ts'
import { type DataType, sameType, typeName } from '../plan/schema.ts'
import type { Unit } from '../plan/unit.ts'
import type { Column, Mask } from '../wasm/column.ts'
import type { UnitColumns } from './column-cache.ts'
import type { DecodedUnit } from './decoded-units.ts'
import { evaluate } from './filter.ts'
import type { ByteSource, OpenFile, ReadContext } from './formats/provider.ts'

/**
 * Reads one unit: the filter's columns first, the others only if a row passes; of a text file a column is read only in
 * rows that have passed so far. Values come out in the types that all files of the scan were widened to; a column that
 * this file lacks is null.
 * `begin` is that of a text file's unit. Columns that are in `kept` are not read; the others are offered to it, but for
 * those of a text file. The caller releases the unit.
 */
export function decodeUnit(
  scan: ScanSpec,
  unit: Unit,
  begin: number | null,
  file: OpenFile,
  kept: UnitColumns | null,
  source: ByteSource,
  context: ReadContext,
): DecodedUnit {
  const { core, stopwatch } = context
  const range = { ...unit, begin }
  using found = file.find?.(source, range, context)
  const rowsScanned = found?.rows ?? unit.to - unit.from
  const span = found?.span ?? null
  let rows = rowsScanned
  const loaded = new Map<string, Column>()
  const constants: Column[] = []
  let mask: Mask | null = null

  const load = (names: readonly string[]): void => {
    const wanted = scan.columns.filter(({ name }) => names.includes(name) && !loaded.has(name))
    const read = (stored: readonly SourceColumn[]): readonly Column[] =>
      found ? found.read(stored) : file.read(source, range, stored, context).columns
    const cache = found ? null : kept
    const missing = wanted.filter((column) => {
      const known = file.typeOf(column) === null ? undefined : cache?.get(column)
      if (known !== undefined) loaded.set(column.name, known)
      return known === undefined
    })
    const decoded = readColumns(missing, rows, file, read, source, context)
    for (const column of missing) {
      const made = decoded.get(column.name)
      if (made === undefined) continue
      loaded.set(column.name, made)
      if (file.typeOf(column) !== null) cache?.offer(column, made)
    }
  }
  const column = (name: string): Column => {
    const found = loaded.get(name)
    if (found === undefined) throw new TypeError(`column ${name} is not part of the scan`)
    return found
  }

  const projected = scan.projection.flatMap((each) => (each.kind === 'column' ? [each.column] : []))
  try {
    // Of rows that have to be found, those that one condition drops are not read for the next.
    const conditions = found && scan.filter?.op === 'and' ? [...scan.filter.args] : [scan.filter]
    for (let next = conditions.shift(); next; next = conditions.shift()) {
      const condition = next
      load(columnsOf(condition))
      mask = stopwatch.time('filter', () =>
        evaluate(core, condition, { rows, column, type: (name) => typeOf(scan.columns, name) }),
      )
      const passing = core.count(mask)
      if (passing === 0) {
        for (const each of loaded.values()) core.free(each)
        core.freeMask(mask)
        return { rows: 0, from: unit.from, columns: [], mask: null, span, rowsScanned }
      }
      if (found && passing < rows) {
        found.keep(mask)
        const wanted = [...projected, ...conditions.flatMap((each) => (each ? columnsOf(each) : []))]
        for (const [name, each] of loaded) {
          if (wanted.includes(name)) loaded.set(name, core.filter(each, mask))
          else loaded.delete(name)
          core.free(each)
        }
      }
      if (found || passing === rows) {
        core.freeMask(mask)
        mask = null
      }
      if (found) rows = passing
    }
    load(projected)
    const columns = scan.projection.map((each) => {
      if (each.kind === 'column') return column(each.column)
      const constant = core.constant(each.field.type, each.value, rows)
      constants.push(constant)
      return constant
    })
    for (const [name, each] of loaded) if (!projected.includes(name)) core.free(each)
    return { rows, from: unit.from, columns, mask, span, rowsScanned }
  } catch (error) {
    for (const each of loaded.values()) core.free(each)
    for (const each of constants) core.free(each)
    if (mask !== null) core.freeMask(mask)
    throw error
  }
}

function typeOf(columns: readonly SourceColumn[], name: string): DataType {
  const found = columns.find((column) => column.name === name)
  if (!found) throw new TypeError(`column ${name} is not part of the scan`)
  return found.type
}

/** Columns by name, of a file that may lack some. Frees what it has read when a later column fails. */
function readColumns(
  wanted: readonly SourceColumn[],
  rows: number,
  file: OpenFile,
  read: (stored: readonly SourceColumn[]) => readonly Column[],
  source: ByteSource,
  { core, stopwatch }: ReadContext,
): ReadonlyMap<string, Column> {
  const stored = wanted.filter((column) => file.typeOf(column) !== null)
  const columns = new Map<string, Column>()
  if (stored.length > 0) {
    read(stored).forEach((column, index) => {
      columns.set(stored[index]?.name ?? '', column)
    })
  }
  try {
    for (const wantedColumn of wanted) {
      const { name, type } = wantedColumn
      const column = columns.get(name)
      const from = file.typeOf(wantedColumn)
      if (column === undefined || from === null) {
        columns.set(name, core.constant(type, null, rows))
      } else if (!sameType(from, type)) {
        const widened = stopwatch.time('decode', () =>
          fitting(name, from, type, source, () => core.cast(column, from, type)),
        )
        columns.set(name, widened)
        core.free(column)
      }
    }
    return columns
  } catch (error) {
    for (const column of columns.values()) core.free(column)
    throw error
  }
}

/** Says where a value was that does not fit: milliseconds reach further than nanoseconds. */
function fitting(name: string, from: DataType, to: DataType, source: ByteSource, cast: () => Column): Column {
  try {
    return cast()
  } catch (cause) {
    if (!isServiceError(cause) || cause.code !== 'type_mismatch') throw cause
    throw new ServiceError(
      'schema_conflict',
      `A value of column "${name}" in "${source.file.path}", ${typeName(from)}, does not fit into ${typeName(to)}, which other files need.`,
      { cause },
    )
  }
}
