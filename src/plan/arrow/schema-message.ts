import type { DataType, Field, Schema } from '../types/schema.ts'
import { markedMetadata } from './extension.ts'
import { CONTINUATION, Header, METADATA_V5, PREFIX_BYTES } from './ipc.ts'
import { typeSlots } from './type-slots.ts'
import { type Slot, writeFlatbuffer } from './write-flatbuffer.ts'

/**
 * The encapsulated schema message of Arrow IPC (Message.fbs and Schema.fbs of apache/arrow), padded to 8 bytes. The id of a
 * column's dictionary is the index of the column. Answers, rows that are passed between workers, and the schema that a Parquet
 * footer repeats are all written by this function.
 */
export function writeSchemaMessage(schema: Schema): Uint8Array {
  const metadata = writeFlatbuffer([
    { size: 2, value: METADATA_V5 },
    { size: 1, value: Header.schema },
    {
      table: [
        undefined,
        { tables: schema.fields.map((field, id) => fieldSlots(field, id)) },
        metadataSlot(schema.metadata),
      ],
    },
  ])
  const message = new Uint8Array(PREFIX_BYTES + metadata.length)
  const view = new DataView(message.buffer)
  view.setUint32(0, CONTINUATION, true)
  view.setUint32(4, metadata.length, true)
  message.set(metadata, PREFIX_BYTES)
  return message
}

/** The slots of a `Field`. `dictionary` is the id of its dictionary, if its type is a dictionary type. */
function fieldSlots(field: Field, dictionary = 0): readonly (Slot | undefined)[] {
  const { id, slots, children } = typeSlots(field.type)
  return [
    { text: field.name },
    { size: 1, value: Number(field.nullable) },
    { size: 1, value: id },
    { table: slots },
    encodingSlot(field.type, dictionary),
    { tables: children.map((child) => fieldSlots(child)) },
    metadataSlot(markedMetadata(field)),
  ]
}

function encodingSlot(type: DataType, id: number): Slot | undefined {
  if (type.kind !== 'dictionary') return undefined
  return {
    table: [
      { size: 8, value: id },
      { table: typeSlots(type.index).slots },
      { size: 1, value: Number(type.ordered) },
    ],
  }
}

function metadataSlot(metadata: Readonly<Record<string, string>>): Slot | undefined {
  const pairs = Object.entries(metadata)
  return pairs.length === 0
    ? undefined
    : { tables: pairs.map(([key, value]) => [{ text: key }, { text: value }]) }
}
