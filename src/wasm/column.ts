/** Handles into the core's tables: which column or mask, never an address. A freed handle must not be used again. */
export type Column = number & { readonly __column: unique symbol }
export type Mask = number & { readonly __mask: unique symbol }
