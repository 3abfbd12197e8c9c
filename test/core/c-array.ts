/** An array as the C data interface has it, before it is laid into a memory. */
export interface CArray {
  readonly format: string
  readonly length: number
  readonly nullCount?: number
  readonly offset?: number
  readonly buffers: readonly (ArrayBufferView | null)[]
  readonly children?: readonly CArray[]
  readonly dictionary?: CArray
}

export interface Placed {
  readonly memory: WebAssembly.Memory
  readonly array: number
  readonly schema: number
}

/** Lays an array and its schema into a new memory, as a decoder's module would have them. */
export function place(tree: CArray): Placed {
  const memory = new WebAssembly.Memory({ initial: 256 })
  const view = new DataView(memory.buffer)
  let top = 64
  const allocate = (bytes: number): number => {
    const address = top
    top = Math.ceil((top + bytes) / 16) * 16
    return address
  }
  const store = (bytes: ArrayBufferView | null): number => {
    if (bytes === null) return 0
    const address = allocate(bytes.byteLength + 1)
    new Uint8Array(memory.buffer).set(
      new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
      address,
    )
    return address
  }
  const pointers = (addresses: readonly number[]): number => store(Uint32Array.from(addresses))
  const write = (node: CArray): { array: number; schema: number } => {
    const children = (node.children ?? []).map(write)
    const dictionary = node.dictionary ? write(node.dictionary) : { array: 0, schema: 0 }
    const array = allocate(64)
    const counts = [node.length, node.nullCount ?? -1, node.offset ?? 0, node.buffers.length, children.length]
    counts.forEach((count, i) => {
      view.setBigInt64(array + 8 * i, BigInt(count), true)
    })
    view.setUint32(array + 40, pointers(node.buffers.map(store)), true)
    view.setUint32(array + 44, pointers(children.map((child) => child.array)), true)
    view.setUint32(array + 48, dictionary.array, true)
    const schema = allocate(64)
    view.setUint32(schema, store(Buffer.from(`${node.format}\0`)), true)
    view.setBigInt64(schema + 24, BigInt(children.length), true)
    view.setUint32(schema + 32, pointers(children.map((child) => child.schema)), true)
    view.setUint32(schema + 36, dictionary.schema, true)
    return { array, schema }
  }
  return { memory, ...write(tree) }
}

/** Bits, least significant first. */
export function bitmap(bits: readonly (boolean | number)[]): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(bits.length / 8))
  bits.forEach((bit, i) => {
    if (bit) bytes[i >> 3] = (bytes[i >> 3] ?? 0) | (1 << (i % 8))
  })
  return bytes
}

/** Offsets and bytes of texts; null is an empty one. */
export function texts(values: readonly (string | null)[], large = false): [ArrayBufferView, Uint8Array] {
  const parts = values.map((value) => Buffer.from(value ?? ''))
  const ends = [0]
  for (const part of parts) ends.push((ends.at(-1) ?? 0) + part.length)
  return [large ? BigInt64Array.from(ends.map(BigInt)) : Int32Array.from(ends), Buffer.concat(parts)]
}
