/** Whether a byte of UTF-8 is the first one of a character. */
function beginsCharacter(byte: number): boolean {
  return (byte & 0xc0) !== 0x80
}

/** The number of characters in bytes of UTF-8. */
export function charactersIn(bytes: Uint8Array): number {
  let count = 0
  for (const byte of bytes) if (beginsCharacter(byte)) count++
  return count
}

/** The bytes of UTF-8 before the character with a number from 0 on: all of them if there are not so many characters. */
export function bytesBefore(bytes: Uint8Array, character: number): number {
  let at = 0
  for (let remaining = character; remaining > 0 && at < bytes.length; remaining--)
    at = nextCharacter(bytes, at)
  return at
}

/** Where the character behind the one at `at` begins, in bytes. */
export function nextCharacter(bytes: Uint8Array, at: number): number {
  let next = at + 1
  while (next < bytes.length && !beginsCharacter(bytes[next] ?? 0)) next++
  return next
}
