/** Handles into the core's tables: which column, mask, table of groups or order, never an address. A freed handle must not be used again. */
export type Column = number & { readonly __column: unique symbol }
export type Mask = number & { readonly __mask: unique symbol }
export type Groups = number & { readonly __groups: unique symbol }
export type Order = number & { readonly __order: unique symbol }
