import { type DataType, type Field, valueType } from '../types/schema.ts'
import { UUID_BYTES, UUID_EXTENSION } from '../types/uuid.ts'

/** The metadata of a field by which Arrow marks extension types: the name, and what the extension itself has to say. */
export const EXTENSION_NAME = 'ARROW:extension:name'
export const EXTENSION_PARAMETERS = 'ARROW:extension:metadata'

/** The metadata of a field as Arrow has them: a UUID is marked. */
export function markedMetadata({ type, metadata }: Field): Field['metadata'] {
  if (valueType(type).kind !== 'uuid') return metadata
  return { ...metadata, [EXTENSION_NAME]: UUID_EXTENSION, [EXTENSION_PARAMETERS]: '' }
}

/** The type of a field that may be marked, and its metadata without the mark. Marks of other extensions are only metadata. */
export function withoutMark(type: DataType, metadata: Field['metadata']): Pick<Field, 'type' | 'metadata'> {
  if (
    type.kind !== 'fixed_binary' ||
    type.width !== UUID_BYTES ||
    metadata[EXTENSION_NAME] !== UUID_EXTENSION
  )
    return { type, metadata }
  const { [EXTENSION_NAME]: _name, [EXTENSION_PARAMETERS]: _parameters, ...others } = metadata
  return { type: { kind: 'uuid' }, metadata: others }
}
