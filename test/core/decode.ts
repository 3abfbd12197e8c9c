import * as arrow from 'apache-arrow'

/** The rows of record batch messages by column, decoded by apache-arrow against a schema; bytes as hex. */
export function decode(types: readonly arrow.DataType[], ...messages: readonly ArrayBuffer[]): unknown[][] {
  const schema = new arrow.Schema(types.map((type, i) => new arrow.Field(`c${i}`, type, true)))
  const head = arrow.tableToIPC(new arrow.Table(schema), 'stream')
  // An empty stream ends with the continuation marker and a length of 0.
  const stream = Buffer.concat([head.subarray(0, -8), ...messages.map((bytes) => Buffer.from(bytes))])
  const table = arrow.tableFromIPC(stream)
  return types.map((_, i) => Array.from(table.getChildAt(i) ?? [], plain))
}

function plain(value: unknown): unknown {
  if (value instanceof arrow.Vector) return Array.from(value, plain)
  if (value instanceof arrow.MapRow) return [...value].map(([key, item]) => [plain(key), plain(item)])
  if (value instanceof arrow.StructRow) {
    return Object.fromEntries([...value].map(([name, item]) => [name, plain(item)]))
  }
  return ArrayBuffer.isView(value) ? hex(value) : value
}

export function hex(view: ArrayBufferView): string {
  return Buffer.from(view.buffer, view.byteOffset, view.byteLength).toString('hex')
}
