package dev.cairn.shell.run;

import dev.cairn.shell.language.Expression;
import dev.cairn.shell.language.Position;
import dev.cairn.shell.run.CommandRunner.ExitException;
import dev.cairn.shell.value.Text;
import dev.cairn.shell.value.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Evaluates expressions, and runs the commands in them. Used by one thread. */
public final class Evaluator {
  private final CommandRunner runner;
  private final Function<String, Optional<String>> constants;
  private final Map<String, Value> variables = new HashMap<>();

  /**
   * Creates an evaluator without variables.
   *
   * @param runner runs commands
   * @param constants returns the value of a constant; empty if the name is none
   */
  public Evaluator(CommandRunner runner, Function<String, Optional<String>> constants) {
    this.runner = runner;
    this.constants = constants;
  }

  /** Returns the names of the variables. */
  public Set<String> variables() {
    return Set.copyOf(variables.keySet());
  }

  /**
   * Returns the value of an expression.
   *
   * @throws ShellException if it has none
   * @throws ExitException if it calls {@code exit}
   */
  public Value value(Expression expression) {
    if (expression instanceof Expression.Literal literal) {
      return literal.value();
    } else if (expression instanceof Expression.Interpolation interpolation) {
      Text text = Text.EMPTY;
      for (Expression part : interpolation.parts()) {
        text = text.plus(value(part).text());
      }
      return text;
    } else if (expression instanceof Expression.Constant constant) {
      return constant(constant);
    } else if (expression instanceof Expression.Variable variable) {
      return variables.getOrDefault(variable.name(), Value.NIL);
    } else if (expression instanceof Expression.ArrayLiteral array) {
      return new Value.Array(values(array.items()));
    } else if (expression instanceof Expression.HashLiteral hash) {
      Map<Value, Value> entries = new LinkedHashMap<>();
      hash.pairs().forEach(pair -> entries.put(value(pair.key()), value(pair.value())));
      return new Value.Hash(entries);
    } else if (expression instanceof Expression.RangeLiteral range) {
      return range(range);
    } else if (expression instanceof Expression.Assignment assignment) {
      Value value = value(assignment.value());
      variables.put(assignment.name(), value);
      return value;
    } else if (expression instanceof Expression.Calculation calculation) {
      return Calculator.calculate(
          calculation.operator(), value(calculation.left()), value(calculation.right()));
    } else if (expression instanceof Expression.Negation negation) {
      return Calculator.calculate("-", Value.of(0), value(negation.operand()));
    } else if (expression instanceof Expression.Item item) {
      return Methods.item(value(item.whole()), value(item.key()));
    }
    return call((Expression.Call) expression);
  }

  private Value range(Expression.RangeLiteral range) {
    Value first = value(range.first());
    Value last = value(range.last());
    if (first instanceof Text from && last instanceof Text to) {
      return Items.range(from, to, range.through());
    }
    return new Value.Range(
        Conversions.number(first, "The start of a range"),
        Conversions.number(last, "The end of a range"),
        range.through());
  }

  private List<Value> values(List<Expression> expressions) {
    List<Value> values = new ArrayList<>();
    expressions.forEach(expression -> values.add(value(expression)));
    return values;
  }

  private Value constant(Expression.Constant constant) {
    Value variable = variables.get(constant.name());
    if (variable != null) {
      return variable;
    }
    return constants
        .apply(constant.name())
        .map(Text::of)
        .orElseThrow(
            () ->
                unknown(
                    "`"
                        + constant.name()
                        + "` is not a constant of this shell"
                        + suggestion(runner.commands().similarOption(constant.name())),
                    constant.at()));
  }

  private Value call(Expression.Call call) {
    if (call.receiver().isPresent()) {
      return method(value(call.receiver().get()), call);
    }
    if (call.block().isPresent()) {
      throw unknown("`" + call.name() + "` takes no block", call.at());
    }
    Optional<Value> builtin =
        runner.builtin(
            call.name(),
            () -> call.name().equals("help") ? topics(call.arguments()) : values(call.arguments()));
    if (builtin.isPresent()) {
      return builtin.get();
    }
    Command command =
        runner
            .commands()
            .find(call.name())
            .orElseThrow(
                () ->
                    unknown(
                        "`"
                            + call.name()
                            + (variables.containsKey(call.name())
                                ? "` is a variable, not a command"
                                : "` is neither a command nor a variable")
                            + suggestion(runner.commands().similar(call.name())),
                        call.at()));
    return runner.run(command, new Arguments(values(call.arguments())));
  }

  /** Returns the arguments of {@code help}, as names: it does not run the commands they name. */
  private List<Value> topics(List<Expression> arguments) {
    return arguments.stream().map(this::topic).toList();
  }

  private Value topic(Expression argument) {
    if (argument instanceof Expression.Call call
        && call.receiver().isEmpty()
        && call.arguments().isEmpty()) {
      return Text.of(call.name());
    }
    return argument instanceof Expression.Variable variable
            && runner.commands().find(variable.name()).isPresent()
        ? Text.of(variable.name())
        : value(argument);
  }

  private static String suggestion(Optional<String> similar) {
    return similar.map(name -> "; did you mean " + name + "?").orElse("");
  }

  /** Prints help on references to tables, or on the commands that the call names. */
  private Value help(Expression.Call call) {
    if (call.arguments().isEmpty()) {
      Command command = runner.commands().find("table_help").orElseThrow();
      return runner.run(command, new Arguments(List.of()));
    }
    return runner.builtin(call.name(), () -> topics(call.arguments())).orElseThrow();
  }

  private Value method(Value receiver, Expression.Call call) {
    if (receiver instanceof Value.TableReference && call.name().equals("help")) {
      return help(call);
    }
    List<Value> arguments = values(call.arguments());
    if (call.block().isPresent()) {
      return loop(receiver, call, call.block().get(), arguments);
    }
    if (receiver instanceof Value.TableReference table) {
      Optional<Command> command = TableMethods.find(runner.commands(), call.name());
      if (command.isPresent()) {
        return runner.run(command.get(), new Arguments(arguments).after(Text.of(table.name())));
      }
    }
    return Methods.call(receiver, call.name(), arguments)
        .orElseThrow(
            () ->
                unknown(
                    "`." + call.name() + "` is not supported on " + receiver.kind(), call.at()));
  }

  /** Runs a loop, and then restores the variables of its block's scope. */
  private Value loop(
      Value receiver, Expression.Call call, Expression.Block block, List<Value> arguments) {
    Map<String, Value> before = new HashMap<>(variables);
    try {
      return Loops.run(receiver, call.name(), arguments, item -> repeat(block, item))
          .orElseThrow(
              () ->
                  unknown(
                      "`." + call.name() + "` with a block is not supported on " + receiver.kind(),
                      call.at()));
    } finally {
      if (block.scope() == Expression.Scope.BLOCK) {
        variables.keySet().retainAll(before.keySet());
        block.parameters().stream()
            .filter(before::containsKey)
            .forEach(name -> variables.put(name, before.get(name)));
      }
    }
  }

  /** Runs a block with an item and returns the value of its last statement. */
  private Value repeat(Expression.Block block, Value item) {
    if (Thread.currentThread().isInterrupted()) {
      throw new ShellException("Interrupted");
    }
    List<String> names = block.parameters();
    List<Value> values =
        names.size() > 1 && item instanceof Value.Array array ? array.items() : List.of(item);
    for (int i = 0; i < names.size(); i++) {
      variables.put(names.get(i), i < values.size() ? values.get(i) : Value.NIL);
    }
    Value last = Value.NIL;
    for (Expression statement : block.statements()) {
      last = value(statement);
    }
    return last;
  }

  private static ShellException unknown(String message, Position at) {
    return new ShellException(message + " (" + at + ")");
  }
}
