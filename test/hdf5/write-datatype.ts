/** A type to be written as a datatype message. */
export type WrittenType =
  | {
      readonly class: 'integer'
      readonly size: number
      readonly signed: boolean
      readonly big: boolean
      readonly bits: number
      readonly from: number
    }
  | { readonly class: 'float'; readonly size: 2 | 4 | 8; readonly big: boolean; readonly bias?: number }
  | { readonly class: 'text'; readonly size: number; readonly padding: number }
  | { readonly class: 'heap_text' }
  | { readonly class: 'list'; readonly of: WrittenType }
  | { readonly class: 'array'; readonly lengths: readonly number[]; readonly of: WrittenType }
  | { readonly class: 'enum'; readonly names: readonly string[]; readonly of: WrittenType }
  | { readonly class: 'opaque'; readonly size: number; readonly tag: string }
  | { readonly class: 'reference' }
  | { readonly class: 'bits' }
  | { readonly class: 'time' }
  | { readonly class: 'compound'; readonly gap: number; readonly members: readonly WrittenMember[] }

interface WrittenMember {
  readonly name: string
  readonly type: WrittenType
}

const ADDRESS_BYTES = 8

export function sizeOf(type: WrittenType): number {
  switch (type.class) {
    case 'integer':
    case 'float':
    case 'text':
    case 'opaque':
      return type.size
    case 'heap_text':
    case 'list':
      return 8 + ADDRESS_BYTES
    case 'array':
      return type.lengths.reduce((product, length) => product * length, sizeOf(type.of))
    case 'enum':
      return sizeOf(type.of)
    case 'reference':
      return 8
    case 'bits':
    case 'time':
      return 4
    case 'compound':
      return type.members.reduce((sum, member) => sum + type.gap + sizeOf(member.type), type.gap)
  }
}

/** Where the members of a compound are, with a gap before each. */
export function offsetsOf({ gap, members }: Extract<WrittenType, { class: 'compound' }>): readonly number[] {
  let at = 0
  return members.map(({ type }) => {
    const offset = at + gap
    at = offset + sizeOf(type)
    return offset
  })
}

/** The bytes of a datatype message of version 1, 2 or 3. */
export function writeDatatype(type: WrittenType, version: 1 | 2 | 3): Buffer {
  const head = (number: number, flags: number, ...rest: readonly Buffer[]): Buffer =>
    Buffer.concat([
      uint(1, (version << 4) | number),
      uint(3, flags),
      uint(4, Math.max(1, sizeOf(type))),
      ...rest,
    ])
  const inner = (of: WrittenType): Buffer => writeDatatype(of, version)
  const named = (name: string): Buffer => {
    const bytes = Buffer.from(`${name}\0`)
    return version === 3 ? bytes : Buffer.concat([bytes, Buffer.alloc((8 - (bytes.length % 8)) % 8)])
  }
  switch (type.class) {
    case 'integer':
      return head(0, (type.big ? 1 : 0) | (type.signed ? 8 : 0), uint(2, type.from), uint(2, type.bits))
    case 'float': {
      const [exponent, fraction] = { 2: [5, 10], 4: [8, 23], 8: [11, 52] }[type.size] as [number, number]
      const flags = (type.big ? 1 : 0) | 0x20 | ((type.size * 8 - 1) << 8)
      const bias = type.bias ?? 2 ** (exponent - 1) - 1
      const places = Buffer.of(fraction, exponent, 0, fraction)
      return head(1, flags, uint(2, 0), uint(2, type.size * 8), places, uint(4, bias))
    }
    case 'text':
      return head(3, type.padding)
    case 'heap_text':
      return head(9, 1, inner({ class: 'text', size: 1, padding: 0 }))
    case 'list':
      return head(9, 0, inner(type.of))
    case 'array': {
      const lengths = Buffer.concat(type.lengths.map((length) => uint(4, length)))
      const rank = uint(1, type.lengths.length)
      if (version === 3) return head(10, 0, rank, lengths, inner(type.of))
      return head(10, 0, rank, Buffer.alloc(3), lengths, lengths, inner(type.of))
    }
    case 'enum': {
      const values = Buffer.concat(type.names.map((_, index) => Buffer.alloc(sizeOf(type.of), 126 + index)))
      return head(8, type.names.length, inner(type.of), ...type.names.map(named), values)
    }
    case 'opaque': {
      const tag = Buffer.alloc(Math.ceil(type.tag.length / 8) * 8)
      tag.write(type.tag)
      return head(5, tag.length, tag)
    }
    case 'reference':
      return head(7, 0)
    case 'bits':
      return head(4, 0, uint(2, 0), uint(2, 32))
    case 'time':
      return head(2, 0, uint(2, 32))
    case 'compound': {
      const offsets = offsetsOf(type)
      const offsetBytes = version === 3 ? Math.floor(Math.log2(sizeOf(type)) / 8) + 1 : 4
      const members = type.members.flatMap(({ name, type: of }, index) => [
        named(name),
        uint(offsetBytes, offsets[index] ?? 0),
        ...(version === 1 ? [Buffer.alloc(28)] : []),
        inner(of),
      ])
      return head(6, type.members.length, ...members)
    }
  }
}

function uint(bytes: number, value: number): Buffer {
  const buffer = Buffer.alloc(bytes)
  buffer.writeUIntLE(value, 0, bytes)
  return buffer
}
