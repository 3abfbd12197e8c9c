/**
 * What a link leads to: the address of an object header, a path in the same file, or null for what is not followed: links to other files
 * and those of a type that a user defined. A path that begins with a slash begins at the root, and others at the group of the link.
 */
export type LinkTarget = number | string | null
