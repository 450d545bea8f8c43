package dev.cairn.server.page;

import java.util.List;

/**
 * Something that a server does when an operator asks for it on a page, after a confirmation.
 *
 * @param id its address after {@code /actions/} and {@code /api/v1/actions/}
 * @param title its heading, for example {@code End a scanner}
 * @param sentence its effect, also on clients
 * @param inputs its parameters; all are required
 * @param back the id of the page that shows the result
 * @param effect does it
 */
public record Action(
    String id, String title, String sentence, List<Input> inputs, String back, Effect effect) {
  /**
   * A parameter.
   *
   * @param name its name
   * @param title its label
   * @param choices the possible values; empty for any text
   */
  public record Input(String name, String title, List<String> choices) {
    /** Copies the choices and checks the name. */
    public Input {
      Ids.check(name);
      choices = List.copyOf(choices);
    }

    /** Returns a parameter with any text. */
    public static Input text(String name, String title) {
      return new Input(name, title, List.of());
    }
  }

  /** Runs the action. Called by a worker of the web server; thread-safe. */
  @FunctionalInterface
  public interface Effect {
    /**
     * Acts; may block for one second at most.
     *
     * @return a sentence about the result
     * @throws PageException if it was not possible; nothing has happened
     */
    String apply(PageRequest request) throws PageException;
  }

  /** Copies the parameters and checks the id. */
  public Action {
    Ids.check(id);
    inputs = List.copyOf(inputs);
  }

  /** Returns the id of the page that asks for a confirmation, for links. */
  public String address() {
    return "actions/" + id;
  }
}
