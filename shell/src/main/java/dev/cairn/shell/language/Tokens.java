package dev.cairn.shell.language;

import dev.cairn.shell.language.Token.Kind;
import java.util.List;

/** Reads the tokens of a script one by one. */
final class Tokens {
  private final List<Token> tokens;
  private int at;

  /** Creates a reader of tokens, the last of which is {@link Kind#END}. */
  Tokens(List<Token> tokens) {
    this.tokens = tokens;
  }

  Token peek() {
    return tokens.get(at);
  }

  /** Returns the token after {@code skipped} others, or the last one. */
  Token peek(int skipped) {
    return tokens.get(Math.min(at + skipped, tokens.size() - 1));
  }

  /** Reads a token; the last one can be read again. */
  Token next() {
    Token token = peek();
    if (!token.is(Kind.END)) {
      at++;
    }
    return token;
  }

  /** Reads this operator or bracket if it is next, and tells whether it was. */
  boolean take(String sign) {
    if (!peek().isSign(sign)) {
      return false;
    }
    at++;
    return true;
  }

  /** Reads this operator or bracket. */
  void expect(String sign) {
    if (!take(sign)) {
      throw unexpected("`" + sign + "`");
    }
  }

  /** Reads the end of a statement. */
  void expectNewline() {
    if (!peek().is(Kind.NEWLINE)) {
      throw unexpected("a comma or the end of the statement");
    }
    at++;
  }

  void skipNewlines() {
    while (peek().is(Kind.NEWLINE)) {
      at++;
    }
  }

  /** Returns the error for an unexpected next token. */
  SyntaxException unexpected(String expected) {
    return unexpected(peek(), expected);
  }

  /** Returns the error for this unexpected token. */
  SyntaxException unexpected(Token token, String expected) {
    String message = token.described() + " is not understood here: expected " + expected;
    return token.is(Kind.END)
        ? new IncompleteException(token.at(), message)
        : new SyntaxException(token.at(), message);
  }
}
