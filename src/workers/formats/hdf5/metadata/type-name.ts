import type { Datatype } from '../data/structures/messages/datatype.ts'

/** The most characters of the name of a compound. */
const MOST_CHARACTERS = 1024

/** How a listing names a type: as NumPy, `string(8)` for text of a fixed length, and a compound with its members. */
export function datatypeName(type: Datatype): string {
  const { size } = type
  switch (type.kind) {
    case 'integer':
      return `${type.isSigned ? 'int' : 'uint'}${size * 8}${order(type)}`
    case 'float':
      return `float${size * 8}${order(type)}`
    case 'text':
      return size === 1 ? 'char' : type.storage === 'heap' ? 'string' : `string(${size})`
    case 'compound': {
      const members: string[] = []
      let remainingCharacters = MOST_CHARACTERS
      for (const { name, type: memberType } of type.members) {
        const member = `${name}: ${datatypeName(memberType)}`
        remainingCharacters -= member.length
        if (remainingCharacters < 0) break
        members.push(member)
      }
      if (members.length < type.members.length) members.push('…')
      return `compound {${members.join(', ')}}`
    }
    default:
      return 'what' in type ? type.what : String((type as { kind: string }).kind)
  }
}

function order({ isBigEndian, size }: { readonly isBigEndian: boolean; readonly size: number }): string {
  return isBigEndian && size > 1 ? ' big-endian' : ''
}
