//! Enumerations of which the loader knows the variants by their numbers.

/// An enumeration, and the list of its variants in their order.
macro_rules! listed {
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[$of:meta])* $variant:ident),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$of])* $variant),*
        }

        impl $name {
            /// In the order of the loader's numbers.
            pub const ALL: &[$name] = &[$($name::$variant),*];
        }
    };
}
pub(crate) use listed;
