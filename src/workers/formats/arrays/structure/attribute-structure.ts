import type { AttributeStructure } from '../../../../plan/source/structure.ts'
import type { Attribute } from '../array-file.ts'
import { elementName } from './element-name.ts'

/** The most characters of an attribute's text that are listed, and the most values. Columns have all of them. */
const MOST_CHARACTERS = 16_384
const MOST_VALUES = 1024

/** An attribute with its value as JSON text. Numbers that JSON does not have are texts: `"NaN"`. */
export function attributeStructure({ name, value }: Attribute): AttributeStructure {
  switch (value.kind) {
    case 'text':
      return { name, type: 'string', ...jsonOfText(value.value) }
    case 'boolean':
      return { name, type: 'bool', json: String(value.value) }
    case 'texts':
      return { name, type: 'string', ...jsonOfTexts(value.values) }
    case 'numbers': {
      const { element, values } = value
      const isShort = element.kind === 'float' && element.bits === 32
      const shown = values
        .slice(0, MOST_VALUES)
        .map((each) => (isShort ? jsonOfFloat32(Number(each)) : jsonOfNumber(each)))
      const json = shown.length === 1 ? (shown[0] ?? '') : `[${shown.join()}]`
      return { name, type: elementName(element), json, ...cutFrom(values.length, MOST_VALUES) }
    }
  }
}

type Shown = Pick<AttributeStructure, 'json' | 'cutFrom'>

function cutFrom(length: number, most: number): Pick<Shown, 'cutFrom'> {
  return length > most ? { cutFrom: length } : {}
}

export function jsonOfText(text: string): Shown {
  const shown = text.length > MOST_CHARACTERS ? text.slice(0, MOST_CHARACTERS).toWellFormed() : text
  return { json: JSON.stringify(shown), ...cutFrom(text.length, MOST_CHARACTERS) }
}

function jsonOfTexts(texts: readonly string[]): Shown {
  const shown: string[] = []
  let remaining = MOST_CHARACTERS
  for (const text of texts.slice(0, MOST_VALUES)) {
    remaining -= text.length
    if (remaining < 0) break
    shown.push(JSON.stringify(text))
  }
  return { json: `[${shown.join()}]`, ...cutFrom(texts.length, shown.length) }
}

export function jsonOfNumber(value: number | bigint): string {
  if (typeof value === 'bigint') return String(value)
  return Number.isFinite(value) ? JSON.stringify(value) : JSON.stringify(String(value))
}

function jsonOfFloat32(value: number): string {
  return jsonOfNumber(Number.isFinite(value) ? shortFloat32(value) : value)
}

/** The shortest decimal number that is this binary32, as programs print it: 0.1, not 0.10000000149011612. It is finite. */
export function shortFloat32(value: number): number {
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits))
    if (Math.fround(short) === value) return short
  }
  return Number(value.toPrecision(9))
}
