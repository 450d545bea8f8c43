package dev.cairn.shell.language;

import dev.cairn.shell.value.Value;
import java.util.List;
import java.util.Optional;

/** A part of a script that has a value, with its position. */
public sealed interface Expression {
  /** Returns the position where the expression begins. */
  Position at();

  /** A literal. */
  record Literal(Position at, Value value) implements Expression {}

  /** A string in double quotes with embedded expressions. */
  record Interpolation(Position at, List<Expression> parts) implements Expression {}

  /** A constant: a name that begins with a capital. */
  record Constant(Position at, String name) implements Expression {}

  /** A variable. */
  record Variable(Position at, String name) implements Expression {}

  /** An array. */
  record ArrayLiteral(Position at, List<Expression> items) implements Expression {}

  /** A hash. */
  record HashLiteral(Position at, List<Pair> pairs) implements Expression {}

  /** A range of numbers; {@code through} tells whether the last one belongs to it. */
  record RangeLiteral(Position at, Expression first, Expression last, boolean through)
      implements Expression {}

  /** Assigns a value to a name. */
  record Assignment(Position at, String name, Expression value) implements Expression {}

  /** Combines two values; the operator is one of {@code + - * / %}. */
  record Calculation(Position at, String operator, Expression left, Expression right)
      implements Expression {}

  /** A negative number. */
  record Negation(Position at, Expression operand) implements Expression {}

  /** An item of an array or a hash: {@code list[0]}. */
  record Item(Position at, Expression whole, Expression key) implements Expression {}

  /** A command, or a method of the receiver. */
  record Call(
      Position at,
      Optional<Expression> receiver,
      String name,
      List<Expression> arguments,
      Optional<Block> block)
      implements Expression {}

  /** A key of a hash with its value. */
  record Pair(Expression key, Expression value) {}

  /** The statements that a loop repeats, and the names of its parameters. */
  record Block(List<String> parameters, List<Expression> statements, Scope scope) {}

  /** The scope of a block's variables. */
  enum Scope {
    /** Parameters and new variables end with the block. */
    BLOCK,
    /**
     * Parameters and new variables belong to the statements around the block, as with {@code for}.
     */
    SURROUNDING
  }
}
