/** The most bytes of a document with keys: some 500 keys with certificates. */
const MOST_BYTES = 1 << 18

/**
 * Fetches a JSON document. Rejects if it has not all arrived when the signal is aborted, if it is too long, or if the status is not 200.
 * Redirects are not followed: whom the service trusts is in its settings alone.
 */
export async function fetchDocument(url: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(url, { redirect: 'manual', signal, headers: { accept: 'application/json' } })
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Error(`The status is ${response.status}.`)
  }
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    // Leaving the loop closes the connection.
    if (bytes > MOST_BYTES) throw new Error(`The document has more than ${MOST_BYTES} bytes.`)
    chunks.push(chunk)
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
}
