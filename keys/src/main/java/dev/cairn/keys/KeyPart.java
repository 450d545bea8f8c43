package dev.cairn.keys;

/** A part of a key. {@code toString} returns it as the text form of a format has it. */
public sealed interface KeyPart permits ValuePart, SaltPart, HashPart, LiteralPart {}
