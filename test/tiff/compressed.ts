/** The names of fixtures whose compression they name. They have a test file of their own, as all of them take some time. */
export const COMPRESSED = /^(?:deflate|lerc|lzw|packbits|zstd)-/
