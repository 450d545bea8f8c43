package dev.cairn.shell.language;

import dev.cairn.shell.language.Token.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Parses the statements, calls and blocks of a script; {@link Operands} parses the values. */
public final class Parser {
  /** Methods whose braces hold statements, not a hash. */
  private static final Set<String> LOOPS =
      Set.of("each", "each_with_index", "times", "map", "collect", "upto", "step");

  /** Ruby's reserved words, and methods that load Ruby code. */
  private static final Set<String> REFUSED =
      Set.of(
          "if",
          "unless",
          "while",
          "until",
          "case",
          "when",
          "then",
          "else",
          "elsif",
          "def",
          "class",
          "module",
          "begin",
          "rescue",
          "ensure",
          "return",
          "break",
          "next",
          "redo",
          "retry",
          "yield",
          "lambda",
          "proc",
          "self",
          "super",
          "alias",
          "undef",
          "and",
          "or",
          "not",
          "in",
          "do",
          "end",
          "require",
          "load",
          "include",
          "import",
          "java_import",
          "loop",
          "catch",
          "throw",
          "raise",
          "defined?",
          "eval");

  private final Tokens tokens;
  private final Set<String> variables;
  private final Operands operands;

  Parser(Tokens tokens, Set<String> variables) {
    this.tokens = tokens;
    this.variables = variables;
    this.operands = new Operands(this);
  }

  /**
   * Returns the statements of a script.
   *
   * @param script the script, or the part of it to parse
   * @param firstLine the line of the script's first character
   * @param variables the names of the variables before the script
   * @throws IncompleteException if the last statement needs more lines
   * @throws SyntaxException if the script has an error or an unsupported construct
   */
  public static List<Expression> parse(String script, int firstLine, Set<String> variables) {
    Tokens tokens = new Tokens(Lexer.tokens(script, new Position(firstLine, 1)));
    Parser parser = new Parser(tokens, new HashSet<>(variables));
    List<Expression> statements = parser.statements();
    if (!tokens.peek().is(Kind.END)) {
      throw tokens.unexpected("the end of the statement");
    }
    return statements;
  }

  Tokens tokens() {
    return tokens;
  }

  Set<String> variables() {
    return variables;
  }

  /** Parses statements up to a token that cannot begin one. */
  private List<Expression> statements() {
    List<Expression> statements = new ArrayList<>();
    tokens.skipNewlines();
    while (!tokens.peek().is(Kind.END)
        && !tokens.peek().isSign("}")
        && !tokens.peek().isName("end")) {
      Expression statement = expression();
      statements.add(statement);
      Token next = tokens.peek();
      refuseCapitalCommand(statement, next);
      if (!next.is(Kind.END) && !next.isSign("}") && !next.isName("end")) {
        if (next.is(Kind.NAME)) {
          refuseReserved(next);
        }
        tokens.expectNewline();
      }
      tokens.skipNewlines();
    }
    return statements;
  }

  /** Refuses a constant with an argument, such as {@code SCAN 't'}. */
  private static void refuseCapitalCommand(Expression statement, Token next) {
    if (statement instanceof Expression.Constant constant && next.is(Kind.TEXT)) {
      throw new SyntaxException(
          constant.at(),
          "`" + constant.name() + "` is not a command: commands begin with a small letter");
    }
  }

  /** Parses an assignment, a loop, a range or arithmetic. */
  Expression expression() {
    Token first = tokens.peek();
    if (first.isName("for")) {
      return loop();
    }
    if ((first.is(Kind.NAME) || first.is(Kind.CONSTANT)) && tokens.peek(1).isSign("=")) {
      refuseReserved(first);
      tokens.next();
      tokens.next();
      tokens.skipNewlines();
      Expression value = expression();
      variables.add(first.text());
      return new Expression.Assignment(first.at(), first.text(), value);
    }
    return operands.range();
  }

  /** Parses {@code for i in 1..9 do … end}, which is the same as the range's {@code each}. */
  private Expression loop() {
    Token word = tokens.next();
    List<String> names = names();
    if (!tokens.peek().isName("in")) {
      throw tokens.unexpected("`in`");
    }
    tokens.next();
    variables.addAll(names);
    Expression items = expression();
    if (tokens.peek().isName("do")) {
      tokens.next();
    } else {
      tokens.expectNewline();
    }
    Expression.Block block =
        new Expression.Block(names, statements(), Expression.Scope.SURROUNDING);
    expectEnd();
    return new Expression.Call(
        word.at(), Optional.of(items), "each", List.of(), Optional.of(block));
  }

  private void expectEnd() {
    Token end = tokens.next();
    if (!end.isName("end")) {
      throw tokens.unexpected(end, "`end`");
    }
  }

  /** Parses a value with the calls of its methods. */
  Expression postfix() {
    Expression value = operands.primary();
    while (true) {
      Token next = tokens.peek();
      if (next.isSign(".")) {
        tokens.next();
        tokens.skipNewlines();
        Token name = tokens.next();
        if (name.is(Kind.CONSTANT)) {
          throw new SyntaxException(
              name.at(),
              "`."
                  + name.text()
                  + "` is not understood: this shell has no classes of Java or Ruby; a filter is a"
                  + " text, such as FILTER => \"PrefixFilter('a')\"");
        }
        if (!name.is(Kind.NAME)) {
          throw tokens.unexpected(name, "the name of a method");
        }
        value = call(Optional.of(value), name);
      } else if (next.isSign("[") && !next.spaced()) {
        tokens.next();
        tokens.skipNewlines();
        Expression key = expression();
        tokens.skipNewlines();
        tokens.expect("]");
        value = new Expression.Item(value.at(), value, key);
      } else {
        return value;
      }
    }
  }

  /**
   * Parses a name as a variable or a call, after its token is read. As in Ruby, the name of a
   * variable with arguments is a call.
   */
  Expression named(Token name) {
    refuseReserved(name);
    if (variables.contains(name.text()) && !isArgumentOfVariable(tokens.peek())) {
      return new Expression.Variable(name.at(), name.text());
    }
    return call(Optional.empty(), name);
  }

  /** Tells whether a token after a variable's name can only begin an argument, not an operator. */
  private boolean isArgumentOfVariable(Token token) {
    return token.isSign("(")
        || token.is(Kind.TEXT)
        || token.spaced() && !token.is(Kind.SIGN) && beginsArgument(token, false);
  }

  private Expression call(Optional<Expression> receiver, Token name) {
    List<Expression> arguments = List.of();
    Token next = tokens.peek();
    boolean loop = receiver.isPresent() && LOOPS.contains(name.text());
    if (next.isSign("(") && !next.spaced()) {
      tokens.next();
      arguments = operands.list(")");
    } else if (next.is(Kind.TEXT) || next.spaced() && beginsArgument(next, loop)) {
      arguments = operands.openList();
    }
    return new Expression.Call(name.at(), receiver, name.text(), arguments, block());
  }

  /** Tells whether a token after a name and a blank begins the name's first argument. */
  private boolean beginsArgument(Token token, boolean loop) {
    return switch (token.kind()) {
      case TEXT, INTEGER, DECIMAL, CONSTANT, SYMBOL, LABEL -> true;
      case NAME -> !REFUSED.contains(token.text());
      case SIGN ->
          switch (token.text()) {
            case "(", "[" -> true;
            case "{" -> !loop && !tokens.peek(1).isSign("|");
            case "-" -> !tokens.peek(1).spaced();
            default -> false;
          };
      default -> false;
    };
  }

  private Optional<Expression.Block> block() {
    Token next = tokens.peek();
    if (!next.isSign("{") && !next.isName("do")) {
      return Optional.empty();
    }
    tokens.next();
    List<String> parameters = parameters();
    Set<String> outer = Set.copyOf(variables);
    variables.addAll(parameters);
    List<Expression> statements = statements();
    variables.retainAll(outer);
    if (next.isName("do")) {
      expectEnd();
    } else {
      tokens.expect("}");
    }
    return Optional.of(new Expression.Block(parameters, statements, Expression.Scope.BLOCK));
  }

  private List<String> parameters() {
    if (!tokens.take("|")) {
      return List.of();
    }
    List<String> names = names();
    tokens.expect("|");
    return names;
  }

  private List<String> names() {
    List<String> names = new ArrayList<>();
    do {
      Token name = tokens.next();
      if (!name.is(Kind.NAME)) {
        throw tokens.unexpected(name, "the name of a variable");
      }
      names.add(name.text());
    } while (tokens.take(","));
    return names;
  }

  private static void refuseReserved(Token name) {
    if (REFUSED.contains(name.text())) {
      throw new SyntaxException(
          name.at(),
          "`"
              + name.text()
              + "` is Ruby that this shell does not understand: it has commands, assignments, and the"
              + " loops each, map, times and for");
    }
  }
}
