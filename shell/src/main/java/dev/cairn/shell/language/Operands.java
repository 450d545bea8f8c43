package dev.cairn.shell.language;

import dev.cairn.shell.language.Token.Kind;
import dev.cairn.shell.language.Token.TextPart;
import dev.cairn.shell.value.Text;
import dev.cairn.shell.value.Value;
import java.util.ArrayList;
import java.util.List;

/** Parses operands: ranges, arithmetic, strings, numbers, arrays, hashes and argument lists. */
final class Operands {
  private final Parser parser;
  private final Tokens tokens;

  /** Uses a parser for the calls in values; it must have its tokens. */
  Operands(Parser parser) {
    this.parser = parser;
    this.tokens = parser.tokens();
  }

  Expression range() {
    Expression first = sum();
    Token sign = tokens.peek();
    if (!tokens.take("..") && !tokens.take("...")) {
      return first;
    }
    return new Expression.RangeLiteral(first.at(), first, sum(), sign.text().equals(".."));
  }

  private Expression sum() {
    Expression left = product();
    for (Token sign = tokens.peek(); sign.isSign("+") || sign.isSign("-"); sign = tokens.peek()) {
      tokens.next();
      tokens.skipNewlines();
      left = new Expression.Calculation(sign.at(), sign.text(), left, product());
    }
    return left;
  }

  private Expression product() {
    Expression left = signed();
    for (Token sign = tokens.peek();
        sign.isSign("*") || sign.isSign("/") || sign.isSign("%");
        sign = tokens.peek()) {
      tokens.next();
      tokens.skipNewlines();
      left = new Expression.Calculation(sign.at(), sign.text(), left, signed());
    }
    return left;
  }

  private Expression signed() {
    Token sign = tokens.peek();
    return tokens.take("-") ? new Expression.Negation(sign.at(), signed()) : parser.postfix();
  }

  /** Parses a value that does not begin with an operator. */
  Expression primary() {
    Token token = tokens.next();
    return switch (token.kind()) {
      case TEXT -> text(token);
      case INTEGER -> literal(token, integer(token));
      case DECIMAL -> literal(token, new Value.Decimal(Double.parseDouble(token.text())));
      case SYMBOL -> literal(token, new Value.Symbol(token.text()));
      case CONSTANT -> constant(token);
      case NAME ->
          switch (token.text()) {
            case "nil" -> literal(token, Value.NIL);
            case "true" -> literal(token, Value.of(true));
            case "false" -> literal(token, Value.of(false));
            default -> parser.named(token);
          };
      case SIGN ->
          switch (token.text()) {
            case "[" -> new Expression.ArrayLiteral(token.at(), list("]"));
            case "{" -> new Expression.HashLiteral(token.at(), pairs());
            case "(" -> {
              tokens.skipNewlines();
              Expression inner = parser.expression();
              tokens.skipNewlines();
              tokens.expect(")");
              yield inner;
            }
            default -> throw tokens.unexpected(token, "a value");
          };
      default -> throw tokens.unexpected(token, "a value");
    };
  }

  private static Expression literal(Token token, Value value) {
    return new Expression.Literal(token.at(), value);
  }

  private Expression constant(Token token) {
    if (tokens.peek().isSign("(") && !tokens.peek().spaced()) {
      throw new SyntaxException(
          token.at(), "`" + token.text() + "(` is Ruby that this shell does not understand");
    }
    return new Expression.Constant(token.at(), token.text());
  }

  private static Value integer(Token token) {
    String digits = token.text();
    try {
      if (digits.length() > 1 && digits.charAt(0) == '0') {
        return Character.toLowerCase(digits.charAt(1)) == 'x'
            ? Value.of(Long.parseLong(digits.substring(2), 16))
            : Value.of(Long.parseLong(digits, 8));
      }
      return Value.of(Long.parseLong(digits));
    } catch (NumberFormatException e) {
      throw new SyntaxException(
          token.at(), "`" + digits + "` is not a number of 64 bits that this shell understands");
    }
  }

  private Expression text(Token token) {
    if (token.parts().stream().allMatch(TextPart.Bytes.class::isInstance)) {
      return literal(token, token.parts().isEmpty() ? Text.EMPTY : part(token.parts().get(0)));
    }
    List<Expression> parts = new ArrayList<>();
    for (TextPart part : token.parts()) {
      parts.add(
          part instanceof TextPart.Code code
              ? code(code)
              : new Expression.Literal(token.at(), part(part)));
    }
    return new Expression.Interpolation(token.at(), parts);
  }

  private static Text part(TextPart part) {
    return Text.of(((TextPart.Bytes) part).bytes());
  }

  private Expression code(TextPart.Code code) {
    Tokens inner = new Tokens(Lexer.tokens(code.source(), code.at()));
    Expression value = new Parser(inner, parser.variables()).expression();
    if (!inner.peek().is(Kind.END)) {
      throw inner.unexpected("`}`");
    }
    return value;
  }

  /** Parses values up to a closing bracket; pairs at the end become one hash. */
  List<Expression> list(String close) {
    List<Expression> items = new ArrayList<>();
    List<Expression.Pair> pairs = new ArrayList<>();
    tokens.skipNewlines();
    Position at = tokens.peek().at();
    while (!tokens.take(close)) {
      item(items, pairs);
      tokens.skipNewlines();
      if (!tokens.peek().isSign(close)) {
        tokens.expect(",");
        tokens.skipNewlines();
      }
    }
    if (!pairs.isEmpty()) {
      items.add(new Expression.HashLiteral(at, pairs));
    }
    return items;
  }

  /** Parses the arguments of a call without parentheses. */
  List<Expression> openList() {
    List<Expression> items = new ArrayList<>();
    List<Expression.Pair> pairs = new ArrayList<>();
    Position at = tokens.peek().at();
    do {
      tokens.skipNewlines();
      item(items, pairs);
    } while (tokens.take(","));
    if (!pairs.isEmpty()) {
      items.add(new Expression.HashLiteral(at, pairs));
    }
    return items;
  }

  private void item(List<Expression> items, List<Expression.Pair> pairs) {
    Token first = tokens.peek();
    if (first.is(Kind.LABEL)) {
      pairs.add(pair());
      return;
    }
    Expression value = parser.expression();
    refuseAssignedOption(value);
    if (tokens.take("=>")) {
      tokens.skipNewlines();
      pairs.add(new Expression.Pair(value, parser.expression()));
    } else if (!pairs.isEmpty()) {
      // A value after pairs ends their hash, as in: create 't', NAME => 'a', {NAME => 'b'}.
      items.add(new Expression.HashLiteral(pairs.get(0).key().at(), List.copyOf(pairs)));
      pairs.clear();
      items.add(value);
    } else {
      items.add(value);
    }
  }

  /** Refuses the argument {@code LIMIT = 1}, which would redefine the constant LIMIT. */
  private static void refuseAssignedOption(Expression value) {
    if (value instanceof Expression.Assignment assignment
        && Character.isUpperCase(assignment.name().charAt(0))) {
      throw new SyntaxException(
          assignment.at(),
          "`" + assignment.name() + " =` sets no option: write " + assignment.name() + " => value");
    }
  }

  private List<Expression.Pair> pairs() {
    List<Expression.Pair> pairs = new ArrayList<>();
    tokens.skipNewlines();
    while (!tokens.take("}")) {
      pairs.add(pair());
      tokens.skipNewlines();
      if (!tokens.peek().isSign("}")) {
        tokens.expect(",");
        tokens.skipNewlines();
      }
    }
    return pairs;
  }

  private Expression.Pair pair() {
    Token first = tokens.peek();
    Expression key;
    if (first.is(Kind.LABEL)) {
      tokens.next();
      key = literal(first, new Value.Symbol(first.text()));
    } else {
      key = parser.expression();
      tokens.skipNewlines();
      tokens.expect("=>");
    }
    tokens.skipNewlines();
    return new Expression.Pair(key, parser.expression());
  }
}
