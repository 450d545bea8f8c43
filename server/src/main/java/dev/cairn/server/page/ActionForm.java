package dev.cairn.server.page;

import java.util.Map;

/**
 * A form that asks for an action. It works without scripts.
 *
 * @param action the action
 * @param values the values of its parameters that are known
 * @param token the server's token, which the form sends along
 */
record ActionForm(Action action, Map<String, String> values, String token) implements Section {
  /** Copies the values. */
  ActionForm {
    values = Map.copyOf(values);
  }

  void write(Html html, String root) {
    html.open("form", "class", "card action", "method", "post", "action", root + action.address())
        .element("p", action.sentence())
        .open("input", "type", "hidden", "name", Actions.TOKEN, "value", token);
    for (Action.Input input : action.inputs()) {
      String value = values.getOrDefault(input.name(), "");
      html.open("label").text(input.title() + " ");
      if (input.choices().isEmpty()) {
        html.open("input", "name", input.name(), "value", value, "required", "required");
      } else {
        html.open("select", "name", input.name());
        for (String choice : input.choices()) {
          html.element(
              "option",
              choice,
              "value",
              choice,
              "selected",
              choice.equalsIgnoreCase(value) ? "selected" : "");
        }
        html.close("select");
      }
      html.close("label");
    }
    html.element("button", action.title())
        .element("a", "Cancel", "href", root + action.back())
        .close("form");
  }
}
