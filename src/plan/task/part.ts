/** Rows that a worker has made, or what it has made of rows, in buffers of their own. */
export interface Part {
  readonly rows: number
  /** Row of the unit from which these rows were looked for. */
  readonly from: number
  readonly payload: Payload
}

/** What a part holds. Of one answer all parts hold the same kind. */
export type Payload =
  | {
      readonly kind: 'arrow'
      /** A record batch message. */
      readonly bytes: ArrayBuffer
      /** Bytes of the message's metadata with its prefix and padding. */
      readonly metadataBytes: number
      /** Those that the rows refer to, all of them: parts of one answer share their bytes. */
      readonly dictionaries: readonly PartDictionary[]
    }
  /** Lines of a text format, each with its end. */
  | { readonly kind: 'text'; readonly bytes: ArrayBuffer }
  /** A table of groups as the core writes it. */
  | { readonly kind: 'groups'; readonly bytes: ArrayBuffer }
  /** The number of rows, and no more. */
  | { readonly kind: 'count' }

/** The values of a dictionary column, an Arrow dictionary batch message. */
export interface PartDictionary {
  /** The place of the column in the output, which is also the dictionary's id in its schema. */
  readonly id: number
  /** Equal keys are equal bytes: a digest. */
  readonly key: string
  readonly bytes: ArrayBuffer
}

/** The payload of a part that was asked for in this form. Throws a `TypeError` if it has another one. */
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

/** The buffers of parts, to be moved with them, each once: parts share dictionaries. */
export function partBuffers(parts: readonly Part[]): ArrayBuffer[] {
  return [...new Set(parts.flatMap(buffersOf))]
}

/** Bytes that a part holds in memory. */
export function partBytes(part: Part): number {
  return buffersOf(part).reduce((sum, { byteLength }) => sum + byteLength, 0)
}

/** Those of several, each buffer once. */
export function bytesOfParts(parts: readonly Part[]): number {
  return partBuffers(parts).reduce((sum, { byteLength }) => sum + byteLength, 0)
}

function buffersOf({ payload }: Part): readonly ArrayBuffer[] {
  if (payload.kind === 'count') return []
  if (payload.kind !== 'arrow') return [payload.bytes]
  return [payload.bytes, ...payload.dictionaries.map(({ bytes }) => bytes)]
}
