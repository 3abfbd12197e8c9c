import type { CopyForm } from '../../../plan/copy/copy-file.ts'
import { type DataType, valueType } from '../../../plan/types/schema.ts'
import type { Column } from '../column.ts'
import type { Instance } from '../instance.ts'
import { typeCode } from '../type-code.ts'

/** A stretch of rows of a database in the core's memory. */
export interface CopyRows {
  /** Appends `length` bytes, which `fill` has to write to the target. */
  add(length: number, fill: (target: Uint8Array) => void): void
  /** Finds the rows that lie wholly in the bytes so far. `next`: where the next one begins, in bytes from the first. */
  find(): { readonly rows: number; readonly next: number; readonly misfit: CopyMisfit | null }
  /** A wanted field of the rows `from`..`to`. `slot`: its place among the wanted ones. Throws `unreadable_file`. */
  column(slot: number, from: number, to: number): Column
  /** To be called once. */
  free(): void
}

/** A field that is no value of its type. */
interface CopyMisfit {
  readonly field: number
  readonly what: string
}

/** What is wrong with a field, in the order of the core's numbers (`copy_reader::Fault`). */
const FAULTS = Object.freeze([
  'a row has another number of fields',
  'it has a value of a length that its type has not',
  'it has an infinite time',
  'it has a time that is too late for 64 bits of microseconds',
  'it has a time that no clock has',
])

/** In the order of the core's numbers (`copy_reader::Form`). */
const FORMS: readonly CopyForm[] = Object.freeze(['postgres', 'mysql'])

/**
 * An empty stretch of rows with fields of these types, of which the `wanted` ones (ascending) can become columns. Throws for a type
 * that such rows have not: `internal`.
 */
export function copyRows(
  instance: Instance,
  form: CopyForm,
  types: readonly DataType[],
  wanted: readonly number[],
): CopyRows {
  instance.setArguments(
    new Uint8Array(
      Uint32Array.from([FORMS.indexOf(form), types.length, ...types.flatMap(fieldWords), ...wanted]).buffer,
    ),
  )
  const rows = instance.call('copy_new')
  return {
    add(length, fill) {
      instance.call('copy_room', rows, length)
      fill(instance.bytes(instance.result(0), length))
    },
    find() {
      const isMisfit = instance.call('copy_find', rows) === 2
      const misfit = { field: instance.result(2), what: FAULTS[instance.result(3)] ?? 'it is damaged' }
      return { rows: instance.result(0), next: instance.result(1), misfit: isMisfit ? misfit : null }
    },
    column: (slot, from, to) => instance.call('copy_column', rows, slot, from, to) as Column,
    free() {
      if (!instance.isDead()) instance.call('copy_free', rows)
    },
  }
}

/** A type as four numbers (`copy_reader::field_types`). */
function fieldWords(type: DataType): readonly number[] {
  const isList = type.kind === 'list'
  const item = valueType(isList ? type.item.type : type)
  return [...typeCode(item), item.kind === 'decimal' ? item.precision : 0, Number(isList)]
}
