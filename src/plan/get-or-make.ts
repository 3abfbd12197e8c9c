/** The value of a key, which is made and put into the map if there is none. */
export function getOrMake<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const present = map.get(key)
  if (present !== undefined) return present
  const value = make()
  map.set(key, value)
  return value
}
