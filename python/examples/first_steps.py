"""First steps with plimsoll: weigh a network, load a device with it, choose a device, read an error."""
import plimsoll as pl


def largest_layer(model: str) -> str:
    weight = pl.weigh(model, batch=8)
    layer = max(weight.layers, key=lambda one: one.params)
    return f"{weight.model}: {weight.params:,} parameters, most of them in {layer.name} ({layer.params:,})"


def batch_on(model: str, device: str) -> int:
    answer = pl.fit(model, device=device, optimizer="adamw", dtype="amp", brief=True)
    print("\n".join(answer.sentences))
    return answer.batch


def cheapest(model: str) -> str:
    answer = pl.place(model, samples=50_000, epochs=10, by="money")
    first = answer.ranking[0]
    price = "no price" if first.cost is None else f"{first.cost:.2f} USD"
    return f"{first.device}: {price}; the verdict is {answer.verdict.choice}"


def main() -> None:
    print(largest_layer("resnet50"))
    print("batch", batch_on("resnet50", "nvidia-t4"))
    print(cheapest("resnet50"))
    try:
        pl.fit("resnet51", device="nvidia-t4")
    except pl.Error as error:
        print(f"what: {error.what}; hint: {error.hint}")


if __name__ == "__main__":
    main()
