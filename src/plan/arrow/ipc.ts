/** Arrow's IPC format, as far as all who write or read it have to agree (Arrow columnar format, "Serialization and IPC"). */

/** Stands before the length of a message's metadata. */
export const CONTINUATION = 0xffff_ffff

/** Bytes of the continuation marker and the length. */
export const PREFIX_BYTES = 8

/** `MetadataVersion` of Schema.fbs that is written. */
export const METADATA_V5 = 4

/** `MessageHeader` of Message.fbs. */
export const Header = Object.freeze({ schema: 1, dictionaryBatch: 2, recordBatch: 3 })

/** The end of a stream: a message without metadata. */
export const END_OF_STREAM = Buffer.from([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0])
