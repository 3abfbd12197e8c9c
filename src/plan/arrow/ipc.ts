// Constants of Arrow's IPC format (Arrow columnar format, "Serialization and IPC"), shared by writers and readers.

/** The continuation marker, which stands before the length of a message's metadata. */
export const CONTINUATION = 0xffff_ffff

/** The size of a prefix: continuation marker and length. Before Arrow 0.15 there was no marker, and 4 bytes were enough. */
export const PREFIX_BYTES = 8

/** The `MetadataVersion` of Arrow's Schema.fbs that is written. */
export const METADATA_V5 = 4

/** The union `MessageHeader` of Arrow's Message.fbs. */
export const Header = Object.freeze({ schema: 1, dictionaryBatch: 2, recordBatch: 3 })

/** The end of a stream: a message without metadata. */
export const END_OF_STREAM = Buffer.from([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0])
