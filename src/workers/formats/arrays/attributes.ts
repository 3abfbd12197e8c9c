import type { Scalar } from '../../../plan/types/scalar.ts'
import type { DataType } from '../../../plan/types/schema.ts'
import type { Attribute } from './array-file.ts'

/**
 * The type of text that has one value in all rows of a file: each row is a number of 4 bytes, however long the text is. Rows of many
 * files that are sorted together may have more values than a narrower number could count.
 */
export const CONSTANT_TEXT: DataType = Object.freeze({
  kind: 'dictionary',
  index: Object.freeze({ kind: 'int', bits: 32, signed: true }),
  value: Object.freeze({ kind: 'utf8' }),
  ordered: false,
})

/** The text of an attribute. Null: there is none of this name, or it is no text. */
export function textOf(attributes: readonly Attribute[], name: string): string | null {
  const value = attributes.find((each) => each.name === name)?.value
  return value?.kind === 'text' ? value.value : null
}

/** The number of an attribute that has a single one. Null: there is none of this name, or it is no single number. */
export function numberOf(attributes: readonly Attribute[], name: string): number | bigint | null {
  const value = attributes.find((each) => each.name === name)?.value
  return value?.kind === 'numbers' && value.values.length === 1 ? (value.values[0] ?? null) : null
}

/** An attribute as a column with one value. Null: it has several values, which no column can hold. */
export function constantOf({
  value,
}: Pick<Attribute, 'value'>): { readonly type: DataType; readonly value: Scalar } | null {
  switch (value.kind) {
    case 'text':
      return { type: CONSTANT_TEXT, value: { kind: 'bytes', value: Buffer.from(value.value) } }
    case 'boolean':
      return { type: { kind: 'bool' }, value: { kind: 'bool', value: value.value } }
    case 'texts':
      return null
    case 'numbers': {
      const [only, ...others] = value.values
      if (only === undefined || others.length > 0) return null
      const { element } = value
      if (element.kind === 'float') return { type: element, value: { kind: 'float', value: Number(only) } }
      return { type: element, value: { kind: 'int', value: BigInt(only) } }
    }
  }
}
