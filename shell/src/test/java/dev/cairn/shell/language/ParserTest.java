package dev.cairn.shell.language;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.shell.value.Text;
import dev.cairn.shell.value.Value;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scripts become expressions; what the language does not have is refused at its place. */
class ParserTest {
  private static List<Expression> parse(String script) {
    return Parser.parse(script, 1, new HashSet<>());
  }

  @Test
  void pairsWithoutBracesBecomeTheLastArgument() {
    Expression.Call call = (Expression.Call) parse("alter 't', NAME => 'f', VERSIONS => 3").get(0);

    assertThat(call.name()).isEqualTo("alter");
    assertThat(call.receiver()).isEmpty();
    assertThat(call.arguments()).hasSize(2);
    assertThat(call.arguments().get(1)).isInstanceOf(Expression.HashLiteral.class);
    assertThat(((Expression.HashLiteral) call.arguments().get(1)).pairs()).hasSize(2);
  }

  @Test
  void aMinusAfterANameIsAnArgumentIfItTouchesItsNumber() {
    assertThat(((Expression.Call) parse("exit -1").get(0)).arguments()).hasSize(1);
    assertThat(Parser.parse("x -1", 1, new HashSet<>(Set.of("x"))).get(0))
        .isInstanceOf(Expression.Calculation.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "create't', 'f'",
        "create\"t\",'f'",
        "create't',NAME=>'f'",
        "x't', 'f'",
        "t.put'r', 'f'",
        "x = create't','f'",
        "3.times { create't', 'f' }",
        "1.times do create't', 'f' end"
      })
  void aTextBeginsTheArgumentsAlsoWithoutABlank(String script) {
    Expression tight = Parser.parse(script, 1, new HashSet<>(Set.of("x"))).get(0);
    Expression spaced =
        Parser.parse(script.replaceFirst("(\\w)(['\"])", "$1 $2"), 1, new HashSet<>(Set.of("x")))
            .get(0);
    assertThat(withoutPlaces(tight)).isEqualTo(withoutPlaces(spaced)).contains("arguments=[");
  }

  private static String withoutPlaces(Expression expression) {
    return expression.toString().replaceAll("at=line \\d+, column \\d+", "");
  }

  @Test
  void escapesOfDoubleQuotesAreBytes() {
    Expression.Literal literal = (Expression.Literal) parse("\"\\x00\\377\\u00fc\\n\"").get(0);

    assertThat(((Text) literal.value()).bytes())
        .containsExactly(0, (byte) 0xff, (byte) 0xc3, (byte) 0xbc, '\n');
  }

  @Test
  void singleQuotesKeepBackslashes() {
    Expression.Literal literal = (Expression.Literal) parse("'\\x00'").get(0);

    assertThat(literal.value()).isEqualTo(Text.of("\\x00"));
  }

  @Test
  void bracesAfterALoopAreABlockAndElsewhereAHash() {
    Expression.Call loop = (Expression.Call) parse("3.times { puts 1 }").get(0);
    Expression.Call scan = (Expression.Call) parse("scan 't', {LIMIT => 1}").get(0);

    assertThat(loop.block()).isPresent();
    assertThat(loop.receiver())
        .contains(new Expression.Literal(new Position(1, 1), new Value.Int(3)));
    assertThat(scan.block()).isEqualTo(Optional.empty());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "create 't', {",
        "create 't',",
        "create(",
        "[1,",
        "puts 'open",
        "puts \"a #{1 +",
        "1 +",
        "(1..3).each { |i|",
        "(1..3).each do |i|\n puts i",
        "t.",
        "x =",
        "{A =>",
        "puts 1 \\\n"
      })
  void anOpenStatementNeedsMoreLines(String script) {
    assertThatThrownBy(() -> parse(script)).isInstanceOf(IncompleteException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "if x", "def f", "puts 1 if x", "a, b = 1, 2", "x += 1", "@x", "$x", "`ls`", "a == b",
        "a && b", "!a", "x ? 1 : 2", "Foo::Bar", "->(x) { x }", "*list", "&block", "<<EOF", ")",
        "}", "puts 1 2", "1't'", "'t'x", "=> 1", "{a}", "1.5.2", "/x/", "java.lang.System.exit(1)"
      })
  void otherRubyIsRefusedInOneLineWithItsPlace(String script) {
    assertThatThrownBy(() -> parse("puts 1\n" + script))
        .isInstanceOf(SyntaxException.class)
        .isNotInstanceOf(IncompleteException.class)
        .hasMessageContaining("(line 2, column ")
        .message()
        .doesNotContain("\n");
  }

  @Test
  void positionsCountFromTheFirstLine() {
    assertThatThrownBy(() -> Parser.parse("\n  x == 1", 10, new HashSet<>()))
        .isInstanceOfSatisfying(
            SyntaxException.class, e -> assertThat(e.position()).isEqualTo(new Position(11, 5)));
  }

  @Test
  void anyTextIsParsedOrRefused() {
    long seed = Long.getLong("cairn.seed", 20260101);
    Random random = new Random(seed);
    String[] words = {
      "put", "'t'", "\"a#{", "}", "{", "|", "i", "=>", "..", "(", ")", "[", "]", ",", ".", "each",
      "do", "end", "1", "1.5", "=", "-", "*", "%", ":a", "a:", "NAME", "\n", ";", "#", "\\", "\"",
      "'", "\\x", "ü", "\u0000", " "
    };
    for (int i = 0; i < 20_000; i++) {
      StringBuilder script = new StringBuilder();
      for (int length = random.nextInt(12); length >= 0; length--) {
        script.append(words[random.nextInt(words.length)]).append(random.nextBoolean() ? " " : "");
      }
      try {
        parse(script.toString());
      } catch (SyntaxException e) {
        assertThat(e.getMessage()).as("seed %d: %s", seed, script).contains("(line ");
      }
    }
  }
}
