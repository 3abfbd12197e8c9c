/** A Parquet file in whose footer some bytes are replaced by others wherever they occur. Throws if they do not occur. */
export function changeFooter(
  file: Uint8Array,
  bytes: readonly number[],
  others: readonly number[],
): Uint8Array {
  const begin = file.length - 8 - Buffer.from(file).readUInt32LE(file.length - 8)
  const footer = Buffer.from(file.subarray(begin, file.length - 8)).toString('latin1')
  const changed = footer.replaceAll(String.fromCharCode(...bytes), String.fromCharCode(...others))
  if (changed === footer) throw new Error('no such bytes')
  const trailer = Buffer.from(file.subarray(file.length - 8))
  trailer.writeUInt32LE(changed.length)
  return Buffer.concat([file.subarray(0, begin), Buffer.from(changed, 'latin1'), trailer])
}
