package dev.cairn.server.page;

import java.util.Map;

/**
 * A picture that a script draws. The script finds the elements with {@code data-figure} equal to
 * {@code drawing}, and reads the other {@code data-} attributes. Without a script, readers see the
 * description, and the picture at {@code image}.
 *
 * @param id its name
 * @param title its heading
 * @param description a description for screen readers and browsers without scripts
 * @param drawing the name by which the script finds it
 * @param script the name of the {@link Asset} with the script
 * @param image the address of a picture for browsers without scripts; empty if there is none
 * @param data more attributes, without their prefix {@code data-}: for example the address of the
 *     numbers
 */
public record Figure(
    String id,
    String title,
    String description,
    String drawing,
    String script,
    String image,
    Map<String, String> data)
    implements Section {
  /** Copies the attributes and checks the names. */
  public Figure {
    Ids.check(id);
    data = Map.copyOf(data);
    data.keySet().forEach(Ids::check);
  }
}
