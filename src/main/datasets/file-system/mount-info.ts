/** The mount points in the text of `/proc/self/mountinfo` (proc_pid_mountinfo(5)): the fifth field of each line. */
export function mountPointsOf(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => {
    const point = line.split(' ')[4]
    return point === undefined ? [] : [unescapeOctal(point)]
  })
}

/** Decodes blank, tab, line feed and backslash, each of which is written as a backslash and three octal digits. */
function unescapeOctal(field: string): string {
  return field.replaceAll(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  )
}
