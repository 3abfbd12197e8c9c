/** Python's numcodecs puts this in front of the names of its codecs, also of those for which version 3 has a name. */
const PREFIX = 'numcodecs.'

/** The name of a codec without what says who wrote it. */
export function plainName(name: string): string {
  return name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name
}
