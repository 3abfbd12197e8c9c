import type { ElementType } from '../array-file.ts'

/** How a listing names the type of stored elements: as NumPy, and `string` for text. */
export function elementName(element: ElementType): string {
  switch (element.kind) {
    case 'int':
      return `${element.signed ? 'int' : 'uint'}${element.bits}`
    case 'float':
      return `float${element.bits}`
    case 'text':
      return 'string'
    default:
      return element.kind
  }
}
