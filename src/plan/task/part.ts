/** Rows from a worker, or something computed from rows. The buffers belong to the part. */
export interface Part {
  readonly rows: number
  /** The row of the unit from which on these rows were searched for. */
  readonly from: number
  readonly payload: Payload
}

/** The contents of a part. All parts of one answer have the same kind. */
export type Payload =
  | {
      readonly kind: 'arrow'
      /** A record batch message. */
      readonly bytes: ArrayBuffer
      /** The bytes of the message's metadata, with prefix and padding. */
      readonly metadataBytes: number
      /** All dictionaries that the rows refer to. Parts of one answer share their buffers. */
      readonly dictionaries: readonly PartDictionary[]
    }
  /** Lines of a text format, each with its line end. */
  | { readonly kind: 'text'; readonly bytes: ArrayBuffer }
  /** A table of groups as the core writes it. */
  | { readonly kind: 'groups'; readonly bytes: ArrayBuffer }
  /** Only the number of rows. */
  | { readonly kind: 'count' }

/** The values of a dictionary column, as an Arrow dictionary batch message. */
export interface PartDictionary {
  /** The index of the column in the output, which is the dictionary's id in the schema. */
  readonly id: number
  /** A digest of the bytes. */
  readonly key: string
  readonly bytes: ArrayBuffer
}

/** The payload of a part, which has to be of a kind. Throws `TypeError` if it is of another one. */
export function payloadAs<K extends Payload['kind']>(
  { payload }: Part,
  kind: K,
): Extract<Payload, { kind: K }> {
  if (isOfKind(payload, kind)) return payload
  throw new TypeError(`a part holds ${payload.kind}, where ${kind} was asked for`)
}

function isOfKind<K extends Payload['kind']>(
  payload: Payload,
  kind: K,
): payload is Extract<Payload, { kind: K }> {
  return payload.kind === kind
}

/** The buffers of parts, to be transferred with them. Each is there once, as parts share dictionaries. */
export function partBuffers(parts: readonly Part[]): ArrayBuffer[] {
  return [...new Set(parts.flatMap(buffersOf))]
}

/** The buffers of parts without those of dictionaries, which other parts may share. */
export function rowBuffers(parts: readonly Part[]): ArrayBuffer[] {
  return parts.flatMap(({ payload }) => (payload.kind === 'count' ? [] : [payload.bytes]))
}

/** The memory of a part, in bytes. */
export function partBytes(part: Part): number {
  return buffersOf(part).reduce((sum, { byteLength }) => sum + byteLength, 0)
}

/** The memory of several parts, in bytes. Shared buffers count once. */
export function bytesOfParts(parts: readonly Part[]): number {
  return partBuffers(parts).reduce((sum, { byteLength }) => sum + byteLength, 0)
}

function buffersOf({ payload }: Part): readonly ArrayBuffer[] {
  if (payload.kind === 'count') return []
  if (payload.kind !== 'arrow') return [payload.bytes]
  return [payload.bytes, ...payload.dictionaries.map(({ bytes }) => bytes)]
}
