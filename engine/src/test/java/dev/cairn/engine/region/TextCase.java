package dev.cairn.engine.region;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * One case of a text file: a sentence, and commands with the answers that they must get. {@code
 * cases/README.md} describes the files.
 *
 * @param file the file that contains the case
 * @param line the line of the sentence, from 1
 * @param sentence the statement of the case
 * @param scope the shapes in which the answers must be the same
 * @param steps the commands in order
 */
record TextCase(Path file, int line, String sentence, Scope scope, List<Step> steps) {
  private static final String SENTENCE = "== ";
  private static final String SCOPE = "shapes: ";
  private static final String ANSWER = "    ";

  /** The shapes in which a case has the same answers. */
  enum Scope {
    /** Every shape. */
    ALL("all"),
    /** Every shape that no compaction makes, as a compaction removes what the case looks at. */
    NOT_COMPACTED("not compacted"),
    /** Only the shapes that the case's own commands make. */
    AS_WRITTEN("as written");

    private final String text;

    Scope(String text) {
      this.text = text;
    }
  }

  /**
   * A command and its answer.
   *
   * @param line the line of the command, from 1
   * @param command the command
   * @param answer the lines that it must print
   */
  record Step(int line, String command, List<String> answer) {}

  /** Runs a command and returns the lines that it prints. */
  interface Interpreter extends AutoCloseable {
    List<String> run(String command) throws IOException;

    @Override
    void close();
  }

  /** Creates the interpreter of one case. */
  interface Interpreters {
    Interpreter open() throws IOException;
  }

  /** Returns the cases of a file. */
  static List<TextCase> read(Path file) throws IOException {
    List<TextCase> cases = new ArrayList<>();
    List<String> lines = Files.readAllLines(file);
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (line.startsWith(SENTENCE)) {
        String sentence = line.substring(SENTENCE.length());
        cases.add(new TextCase(file, i + 1, sentence, Scope.ALL, new ArrayList<>()));
      } else if (line.startsWith(SCOPE)) {
        TextCase last = last(cases);
        cases.set(cases.size() - 1, last.within(scope(line.substring(SCOPE.length()))));
      } else if (line.startsWith(ANSWER)) {
        last(last(cases).steps()).answer().add(line.substring(ANSWER.length()));
      } else if (isCommand(line)) {
        last(cases).steps().add(new Step(i + 1, line, new ArrayList<>()));
      }
    }
    return cases;
  }

  /** Replaces every answer of a file by the one that an interpreter gives. */
  static void rewrite(Path file, Interpreters interpreters) throws IOException {
    List<String> rewritten = new ArrayList<>();
    Interpreter interpreter = null;
    try {
      for (String line : Files.readAllLines(file)) {
        if (line.startsWith(ANSWER)) {
          continue;
        }
        rewritten.add(line);
        if (line.startsWith(SENTENCE)) {
          if (interpreter != null) {
            interpreter.close();
          }
          interpreter = interpreters.open();
        } else if (isCommand(line)) {
          interpreter.run(line).forEach(answer -> rewritten.add(ANSWER + answer));
        }
      }
    } finally {
      if (interpreter != null) {
        interpreter.close();
      }
    }
    Files.write(file, rewritten);
  }

  private static boolean isCommand(String line) {
    return !line.isBlank()
        && !line.startsWith("#")
        && !line.startsWith(SENTENCE)
        && !line.startsWith(SCOPE);
  }

  private static Scope scope(String text) {
    for (Scope scope : Scope.values()) {
      if (text.equals(scope.text)) {
        return scope;
      }
    }
    throw new AssertionError("Unknown shapes: " + text);
  }

  private TextCase within(Scope changed) {
    return new TextCase(file, line, sentence, changed, steps);
  }

  private static <T> T last(List<T> list) {
    return list.get(list.size() - 1);
  }

  /** Runs the case. Fails at the first answer that differs. */
  void run(String shape, Interpreter interpreter) throws IOException {
    for (Step step : steps) {
      List<String> answer;
      try {
        answer = interpreter.run(step.command());
      } catch (IOException | RuntimeException | AssertionError e) {
        throw new AssertionError(place(step, shape) + " failed: " + e.getMessage(), e);
      }
      if (!answer.equals(step.answer())) {
        throw new AssertionError(
            "%s: %s%n%s%nTo accept the new answers, add -Dcairn.rewrite=true, and review the change."
                .formatted(place(step, shape), sentence, difference(step.answer(), answer)));
      }
    }
  }

  private String place(Step step, String shape) {
    return "%s:%d (%s) %s".formatted(file, step.line(), shape, step.command());
  }

  /** Returns both lists as one: {@code -} before what is missing, {@code +} before what is new. */
  static String difference(List<String> expected, List<String> actual) {
    int[][] common = new int[expected.size() + 1][actual.size() + 1];
    for (int e = expected.size() - 1; e >= 0; e--) {
      for (int a = actual.size() - 1; a >= 0; a--) {
        common[e][a] =
            expected.get(e).equals(actual.get(a))
                ? common[e + 1][a + 1] + 1
                : Math.max(common[e + 1][a], common[e][a + 1]);
      }
    }
    List<String> lines = new ArrayList<>();
    int e = 0;
    int a = 0;
    while (e < expected.size() || a < actual.size()) {
      if (e < expected.size() && a < actual.size() && expected.get(e).equals(actual.get(a))) {
        lines.add("      " + expected.get(e));
        e++;
        a++;
      } else if (a == actual.size()
          || e < expected.size() && common[e + 1][a] >= common[e][a + 1]) {
        lines.add("    - " + expected.get(e++));
      } else {
        lines.add("    + " + actual.get(a++));
      }
    }
    return String.join(System.lineSeparator(), lines);
  }
}
