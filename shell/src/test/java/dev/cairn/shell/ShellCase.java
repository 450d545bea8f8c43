package dev.cairn.shell;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A case of a text file: a title after {@code ==}, and steps. A step is a few lines of a script;
 * the indented lines after them are what the shell prints.
 */
record ShellCase(String title, List<Step> steps) {
  private static final String TITLE = "== ";
  private static final String INDENT = "    ";

  /** Lines of a script, and what the shell prints for them. */
  record Step(String script, String expected) {}

  /** Reads the cases of a file. */
  static List<ShellCase> read(Path file) throws IOException {
    List<ShellCase> cases = new ArrayList<>();
    StringBuilder script = new StringBuilder();
    StringBuilder expected = new StringBuilder();
    boolean answers = false;
    List<String> lines = new ArrayList<>(Files.readAllLines(file));
    lines.add(TITLE);
    for (String line : lines) {
      boolean answer = line.startsWith(INDENT) || line.isEmpty() && answers;
      if (!answer && answers || line.startsWith(TITLE) && !script.isEmpty()) {
        cases.get(cases.size() - 1).steps().add(new Step(script.toString(), expected.toString()));
        script.setLength(0);
        expected.setLength(0);
        answers = false;
      }
      if (line.startsWith(TITLE)) {
        cases.add(new ShellCase(line.substring(TITLE.length()), new ArrayList<>()));
      } else if (answer) {
        answers = true;
        if (!line.isEmpty()) {
          expected.append(line.substring(INDENT.length())).append('\n');
        }
      } else if (!line.isEmpty()) {
        script.append(line).append('\n');
      }
    }
    cases.remove(cases.size() - 1);
    return cases;
  }

  /** Returns this case as a file has it. */
  String written() {
    StringBuilder text = new StringBuilder(TITLE).append(title).append("\n\n");
    boolean answered = false;
    for (Step step : steps) {
      text.append(answered ? "\n" : "").append(step.script());
      step.expected().lines().forEach(line -> text.append(INDENT).append(line).append('\n'));
      answered = !step.expected().isEmpty();
    }
    return text.append('\n').toString();
  }
}
